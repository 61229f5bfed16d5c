/** A body as a page shows it: JSON in short lines, and of long lists the beginning; XML an element a line. */

const widthMax = 84
const textMax = 160

export function readableText(text: string, linesMax: number): string {
  if (text.startsWith('<?xml')) return cut(xmlLines(text), linesMax)
  if (/^\{.*\}\n\{/.test(text)) return cut(text, 3)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return cut(text, linesMax)
  }
  for (const itemsMax of [20, 8, 4, 3, 2, 1]) {
    const written = write(value, '', itemsMax)
    if (written.split('\n').length <= linesMax) return written
  }
  return cut(write(value, '', 1), linesMax)
}

function cut(text: string, linesMax: number): string {
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line) => (line.length > 240 ? `${line.slice(0, 240)}…` : line))
  return lines.length <= linesMax ? lines.join('\n') : [...lines.slice(0, linesMax), '…'].join('\n')
}

function xmlLines(text: string): string {
  let depth = 0
  return text
    .replaceAll(/>\s*</g, '>\n<')
    .split('\n')
    .map((line) => {
      if (line.startsWith('</')) depth--
      const shown = '  '.repeat(Math.max(depth, 0)) + line
      if (/^<[a-zA-Z]/.test(line) && !line.endsWith('/>') && !line.includes('</')) depth++
      return shown
    })
    .join('\n')
}

function write(value: unknown, indent: string, itemsMax: number): string {
  if (typeof value === 'string')
    return JSON.stringify(value.length > textMax ? `${value.slice(0, textMax)}…` : value)
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const inner = `${indent}  `
  const parts = Array.isArray(value)
    ? itemsOf(value, itemsMax).map((item) => (item === more ? '…' : write(item, inner, itemsMax)))
    : Object.entries(value).map(([name, each]) => `${JSON.stringify(name)}: ${write(each, inner, itemsMax)}`)
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}']
  if (parts.length === 0) return open + close
  const isFlat = parts.every((part) => !part.includes('\n'))
  const line = Array.isArray(value) ? `[${parts.join(', ')}]` : `{ ${parts.join(', ')} }`
  if (isFlat && indent.length + line.length <= widthMax && indent !== '') return line
  return `${open}\n${parts.map((part) => inner + part).join(',\n')}\n${indent}${close}`
}

const more = Symbol('more')

function itemsOf(list: readonly unknown[], itemsMax: number): readonly unknown[] {
  return list.length > itemsMax ? [...list.slice(0, itemsMax), more] : list
}
