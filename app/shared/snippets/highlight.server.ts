/** Renders code as HTML in the colors of `.code`. It runs on the server, so that pages load no highlighter. */
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

/** Languages of fences and snippets whose grammar has another name. */
const otherNames: Readonly<Record<string, keyof typeof grammars>> = {
  curl: 'bash',
  fhirclient: 'javascript',
  js: 'javascript',
  py: 'python',
  sh: 'bash',
  ts: 'typescript',
}

/** The highlighter's classes and their kinds in surfaces.css. Code of other classes has no color. */
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

/** The size is limited, because commands of guides differ for each reader. */
const highlighted = new LRUCache<string, string>({
  maxSize: 8_000_000,
  sizeCalculation: (html) => html.length + 1,
})

/** @param language the language of a fence or a snippet; in an unknown one, code has no colors */
export function highlight(code: string, language: string): string {
  const key = `${language} ${code}`
  const known = highlighted.get(key)
  if (known !== undefined) return known
  const html = inOurKinds(toHtml(code, otherNames[language] ?? language))
  highlighted.set(key, html)
  return html
}

/** Adds the code in colors to each snippet. */
export function withColors<Code extends { language: string; code: string }>(
  snippets: readonly Code[],
): (Code & { html: string })[] {
  return snippets.map((snippet) => ({ ...snippet, html: highlight(snippet.code, snippet.language) }))
}

function toHtml(code: string, language: string): string {
  if (!Object.hasOwn(grammars, language)) return escaped(code)
  return highlighter.highlight(code, { language, ignoreIllegals: true }).value
}

/** Escapes as the highlighter does, so that plain-code.ts reads both. */
function escaped(code: string): string {
  return code
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#x27;')
}

/** Replaces each class by its letter, and removes elements without a color. */
function inOurKinds(html: string): string {
  const open: boolean[] = []
  return html.replace(/<span class="hljs-(\w+)[^"]*">|<span[^>]*>|<\/span>/g, (tag, name: string = '') => {
    if (tag === '</span>') return open.pop() ? tag : ''
    const kind = kinds[name]
    open.push(kind !== undefined)
    return kind === undefined ? '' : `<span class="${kind}">`
  })
}
