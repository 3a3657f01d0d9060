export default {
  // Blocks that name no language are commands and their output: guesses about their language colour them at random.
  configureHljs: hljs => hljs.configure({ languages: [] }),
}
