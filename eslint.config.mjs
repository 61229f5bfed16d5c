import tseslint from 'typescript-eslint'

// Biome does the linting. This one rule needs the compiler's types: a promise nobody waits for is an
// answer sent before its audit row, or an error nobody sees.
export default tseslint.config({
  files: ['{app,bench,emails,seed,server,tests}/**/*.{ts,tsx}'],
  languageOptions: { parser: tseslint.parser, parserOptions: { projectService: true } },
  plugins: { '@typescript-eslint': tseslint.plugin },
  linterOptions: { reportUnusedDisableDirectives: 'off' },
  rules: { '@typescript-eslint/no-floating-promises': 'error' },
})
