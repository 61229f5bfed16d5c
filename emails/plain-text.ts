/** The plain-text form of a letter: the same words in the same order, folded at 76 characters; addresses stay whole. */
import type { Letter } from './letter.ts'

const WIDTH = 76

export function toPlainText({
  letter,
  reference,
  home,
}: {
  letter: Letter
  reference: string
  home: string
}): string {
  const block = (label: string, words: string) => `${label}:\n${fold(words, '  ')}`
  const parts = [
    fold(letter.heading),
    fold(letter.happened),
    fold(letter.means),
    block('What to do', letter.todo),
    letter.byWhen ? block('By when', letter.byWhen) : null,
    block('If you do nothing', letter.otherwise),
    letter.action ? `${letter.action.label}:\n  ${letter.action.url}` : null,
    letter.facts.length > 0
      ? letter.facts.map(([label, value]) => fold(`${label}: ${value}`)).join('\n')
      : null,
    `-- \nRequest ${reference}\nSent by Sandpiper, ${home}\nAll patients there are synthetic.`,
  ]
  return `${parts.filter((part) => part !== null).join('\n\n')}\n`
}

function fold(words: string, indent = ''): string {
  const lines: string[] = []
  let current = indent
  for (const word of words.split(' ')) {
    const joined = current === indent ? current + word : `${current} ${word}`
    if (joined.length > WIDTH && current !== indent) {
      lines.push(current)
      current = indent + word
    } else current = joined
  }
  return [...lines, current].join('\n')
}
