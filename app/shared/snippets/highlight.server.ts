/** Code as HTML in the colors of `.code`, made on the server: pages bring neither a highlighter nor its languages. */
import highlighter from 'highlight.js/lib/core'
import bash from 'highlight.js/lib/languages/bash'
import csharp from 'highlight.js/lib/languages/csharp'
import go from 'highlight.js/lib/languages/go'
import http from 'highlight.js/lib/languages/http'
import java from 'highlight.js/lib/languages/java'
import javascript from 'highlight.js/lib/languages/javascript'
import json from 'highlight.js/lib/languages/json'
import php from 'highlight.js/lib/languages/php'
import python from 'highlight.js/lib/languages/python'
import ruby from 'highlight.js/lib/languages/ruby'
import typescript from 'highlight.js/lib/languages/typescript'
import xml from 'highlight.js/lib/languages/xml'
import { LRUCache } from 'lru-cache'

const grammars = {
  bash,
  csharp,
  go,
  http,
  java,
  javascript,
  json,
  php,
  python,
  ruby,
  typescript,
  xml,
}
for (const [name, grammar] of Object.entries(grammars)) highlighter.registerLanguage(name, grammar)

/** Names of fences and of our languages that are no names of grammars. */
const otherNames: Readonly<Record<string, keyof typeof grammars>> = {
  curl: 'bash',
  fhirclient: 'javascript',
  js: 'javascript',
  py: 'python',
  sh: 'bash',
  ts: 'typescript',
}

/** What the grammars tell apart, as the four kinds of surfaces.css; the rest is plain. */
const kinds: Readonly<Record<string, string>> = {
  attr: 'k',
  keyword: 'k',
  comment: 'c',
  meta: 'c',
  link: 's',
  literal: 'n',
  number: 'n',
  regexp: 's',
  string: 's',
}

/** Commands of guides hold the reader's own values: a thousand readers do not fill the memory. */
const highlighted = new LRUCache<string, string>({
  maxSize: 8_000_000,
  sizeCalculation: (html) => html.length + 1,
})

/** @param language of a fence or of a snippet; code in any other is escaped and has no colors */
export function highlight(code: string, language: string): string {
  const key = `${language} ${code}`
  const known = highlighted.get(key)
  if (known !== undefined) return known
  const html = inOurKinds(toHtml(code, otherNames[language] ?? language))
  highlighted.set(key, html)
  return html
}

/** The same snippets with their code in colors, too. */
export function withColors<Each extends { language: string; code: string }>(
  snippets: readonly Each[],
): (Each & { html: string })[] {
  return snippets.map((each) => ({ ...each, html: highlight(each.code, each.language) }))
}

function toHtml(code: string, language: string): string {
  if (!Object.hasOwn(grammars, language)) return escaped(code)
  return highlighter.highlight(code, { language, ignoreIllegals: true }).value
}

/** As the highlighter escapes, so that plain-code.ts reads both. */
function escaped(code: string): string {
  return code
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#x27;')
}

/** One letter for each class; elements without a color go. */
function inOurKinds(html: string): string {
  const open: boolean[] = []
  return html.replace(/<span class="hljs-(\w+)[^"]*">|<span[^>]*>|<\/span>/g, (tag, name: string = '') => {
    if (tag === '</span>') return open.pop() ? tag : ''
    const kind = kinds[name]
    open.push(kind !== undefined)
    return kind === undefined ? '' : `<span class="${kind}">`
  })
}
