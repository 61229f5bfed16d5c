/** What a program of another language says of a call, read from its text: for languages that cannot run here. */
import type { SnippetCall, SnippetLanguage } from '../../app/shared/snippets/snippet.ts'

export const unrun = ['csharp', 'java', 'go', 'ruby', 'php'] as const satisfies readonly SnippetLanguage[]

const methodIn: Readonly<Record<(typeof unrun)[number], (method: string) => RegExp>> = {
  csharp: (method) => new RegExp(`HttpMethod\\.${titled(method)},`),
  java: (method) => new RegExp(`\\.method\\("${method}",`),
  go: (method) => new RegExp(`NewRequest\\("${method}",`),
  ruby: (method) => new RegExp(`Net::HTTP::${titled(method)}\\.new`),
  php: (method) => new RegExp(`CURLOPT_CUSTOMREQUEST => "${method}"`),
}

/** Everything of the call that the program does not say: its method, address, headers or parts of its body. */
export function missingIn(language: (typeof unrun)[number], code: string, call: SnippetCall): string[] {
  const strings = stringsOf(code)
  const says = (test: (text: string) => boolean) => strings.some(test)
  const missing = methodIn[language](call.method).test(code) ? [] : ['method']
  if (!says((text) => addressOf(text) === addressOf(call.url))) missing.push('address')
  for (const { name, value } of call.headers) {
    const fixed = value.replace(/\$[A-Z_]+$/, '')
    const isMadeOf =
      language === 'csharp' && code.includes('FormUrlEncodedContent') && /^content-type$/i.test(name)
    const said = says(
      (text) => text.startsWith(fixed) || text.toLowerCase().startsWith(`${name}: ${fixed}`.toLowerCase()),
    )
    if (!said && !isMadeOf) missing.push(name)
  }
  const all = strings.flatMap((text) => [text, ...leavesOf(text)])
  for (const leaf of leavesOf(call.body ?? '')) if (!all.includes(leaf)) missing.push(leaf)
  return missing
}

/** Every string of a program, its escapes undone. */
function stringsOf(code: string): string[] {
  return [...code.matchAll(/"((?:[^"\\\n]|\\.)*)"|'((?:[^'\\]|\\.)*)'/g)].map(([, double, single]) => {
    if (double === undefined) return (single ?? '').replace(/\\([\\'])/g, '$1')
    return JSON.parse(`"${double.replace(/\\([#$'])/g, '$1')}"`) as string
  })
}

/** The texts in a body, JSON or form. */
function leavesOf(body: string): string[] {
  if (/^[\w-]+=/.test(body)) return [...new URLSearchParams(body).values()]
  try {
    return textsIn(JSON.parse(body))
  } catch {
    return []
  }
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}

function addressOf(text: string): string {
  return URL.canParse(text) ? decodeURIComponent(new URL(text).href) : text
}

function titled(method: string): string {
  return method.charAt(0) + method.slice(1).toLowerCase()
}
