/** How each language reads an environment variable inside a string that the library wrote. */
import type { SnippetLanguage } from './snippet.ts'

type Written = Exclude<SnippetLanguage, 'fhirclient'>

/** No secret, and nothing that a library would quote, cut or escape. */
const markOf = (variable: string) => `ENV_${variable}_VNE`

/**
 * What may stand where a credential goes. In any other header `$NAME` is what somebody typed.
 * @throws when a header would hold the credential itself
 */
export function markVariables({ name, value }: { name: string; value: string }): string {
  if (!/^(authorization|cookie|x-api-key)$/i.test(name)) return value
  const marked = value.replace(/\$([A-Z][A-Z_]*)/g, (_whole, variable: string) => markOf(variable))
  if (marked === value)
    throw new Error(`the header ${name} has to name its credential as an environment variable`)
  return marked
}

type Rewrite = (code: string) => string

/**
 * A string literal that ends in a variable: its words before, and the variable's name. Words of a header only: what
 * somebody typed may look like a mark, and must not become code of a literal that the language reads.
 */
const doubleQuoted = /"([\w: -]*)ENV_([A-Z_]+)_VNE"/g
const singleQuoted = /'([\w: -]*)ENV_([A-Z_]+)_VNE'/g

/** Puts the language's own way of reading the environment in place of every mark. */
export const readVariables: Readonly<Record<Written, Rewrite>> = {
  curl: (code) => code.replace(singleQuoted, '"$1$$$2"'),
  typescript: (code) => code.replace(singleQuoted, '`$1$${process.env.$2}`'),
  python: (code) => withLine('import os', code.replace(doubleQuoted, `f"$1{os.environ['$2']}"`)),
  csharp: (code) => code.replace(doubleQuoted, '"$1" + Environment.GetEnvironmentVariable("$2")'),
  java: (code) => code.replace(doubleQuoted, '"$1" + System.getenv("$2")'),
  go: (code) => code.replace(doubleQuoted, '"$1"+os.Getenv("$2")').replace(/^\t"net\/http"\n/m, '$&\t"os"\n'),
  ruby: (code) => code.replace(singleQuoted, '"$1#{ENV.fetch(\'$2\')}"'),
  php: (code) => code.replace(doubleQuoted, '"$1" . getenv("$2")'),
}

function withLine(line: string, code: string): string {
  return code.includes('os.environ') ? `${line}\n${code}` : code
}
