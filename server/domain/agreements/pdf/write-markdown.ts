/** Writes Markdown to pages: headings, paragraphs, lists and tables of two columns. Other Markdown is an error. */
import { lexer, type Token, type Tokens } from 'marked'
import type { FontName, PageWriter, Run } from './page-writer.ts'

export function writeMarkdown(writer: PageWriter, markdown: string): void {
  for (const token of lexer(markdown)) writeBlock(writer, token, 0)
}

function writeBlock(writer: PageWriter, token: Token, depth: number): void {
  switch (token.type) {
    case 'heading':
      writer.heading(plain(toRuns(token.tokens ?? [])), (token as Tokens.Heading).depth)
      break
    case 'paragraph':
    case 'text':
      writer.paragraph(toRuns(token.tokens ?? [token]), { indent: depth * 24 })
      break
    case 'list':
      writeList(writer, token as Tokens.List, depth)
      break
    case 'table':
      writer.facts(
        (token as Tokens.Table).rows.map(
          ([label, value]) => [toRuns(label?.tokens ?? []), toRuns(value?.tokens ?? [])] as const,
        ),
      )
      break
    case 'space':
      break
    default:
      throw new Error(`a document holds what its pages cannot show: ${token.type}`)
  }
}

function writeList(writer: PageWriter, list: Tokens.List, depth: number): void {
  const first = typeof list.start === 'number' ? list.start : 1
  for (const [place, item] of list.items.entries()) {
    const bullet = list.ordered ? `${first + place}.` : '•'
    const [lead, ...rest] = item.tokens
    const runs = lead && 'tokens' in lead ? toRuns(lead.tokens ?? []) : []
    writer.paragraph(runs, { indent: (depth + 1) * 24, bullet })
    for (const token of rest) writeBlock(writer, token, depth + 1)
  }
}

function toRuns(tokens: readonly Token[], font: FontName = 'regular'): Run[] {
  const runs: Run[] = []
  for (const run of tokens.flatMap((token) => toRun(token, font))) {
    const last = runs.at(-1)
    if (last?.font === run.font) runs[runs.length - 1] = { font: run.font, text: last.text + run.text }
    else runs.push(run)
  }
  return runs
}

function toRun(token: Token, font: FontName): Run[] {
  switch (token.type) {
    case 'strong':
      return toRuns(token.tokens ?? [], 'bold')
    case 'em':
      return toRuns(token.tokens ?? [], 'italic')
    case 'br':
      return [{ text: '\n', font }]
    case 'text':
    case 'escape':
      return [{ text: (token as Tokens.Text).text.replace(/\n/g, ' '), font }]
    default:
      throw new Error(`a document holds what its pages cannot show: ${token.type}`)
  }
}

const plain = (runs: readonly Run[]) => runs.map(({ text }) => text).join('')
