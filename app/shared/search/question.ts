/** Splits a question into groups of synonyms. A text ranks higher the more groups it has a word of. */
import { stemmer } from 'stemmer'
import { meanings } from './meanings.ts'

/** Words with one meaning, in lower case. */
export interface WordGroup {
  /** The typed words. A search also finds prefixes and typos of them. */
  readonly words: readonly string[]
  /** Other words for the same thing. */
  readonly also: readonly string[]
}

const charactersMax = 100

/** Words of questions that say nothing about the subject. */
const fillers = new Set(
  (
    'a an and any are as at be been but by can could did do does done for from get gets give given go goes got had has ' +
    'have how i if in into is it its just let me mine must my of on onto or our out please so some tell than that the ' +
    'their them then there these this those to use using via want was way we were what when where which who whom whose ' +
    'why will with would you your'
  ).split(' '),
)

/** Splits a text into words. A code or parameter such as `rate_limited` is one word. */
export function wordsOf(text: string): string[] {
  return text
    .toLowerCase()
    .split(/[^\p{L}\p{N}_$-]+/u)
    .map((word) => word.replace(/^-+|(?<!-)-+$/g, ''))
    .filter(Boolean)
}

/** The parts of a code such as `rate_limited`; none of a plain word. */
export function partsOf(word: string): string[] {
  const parts = word.split(/[_$-]+/).filter(Boolean)
  return parts.length > 1 || parts[0] !== word ? parts : []
}

export function readQuestion(question: string): readonly WordGroup[] {
  const words = wordsOf(question.slice(0, charactersMax))
  const groups = groupsOf(words, (word) => !fillers.has(word))
  return groups.length > 0 ? groups : groupsOf(words, () => true)
}

function groupsOf(words: readonly string[], isMeaningful: (word: string) => boolean): WordGroup[] {
  const groups: WordGroup[] = []
  for (let at = 0; at < words.length; ) {
    const { length, also } = meaningAt(words, at)
    const group = words.slice(at, at + length)
    if (also.length > 0 || group.some(isMeaningful)) groups.push({ words: group, also })
    at += length
  }
  return groups
}

const phrases = meanings.flatMap(({ says, means }) =>
  says.map((phrase) => ({
    stems: wordsOf(phrase).map((word) => stemmer(word)),
    also: [...says.filter((other) => other !== phrase), ...means],
  })),
)

/** The table's longest phrase that begins at this word, or a single word if there is none. */
function meaningAt(words: readonly string[], at: number): { length: number; also: readonly string[] } {
  const fits = phrases
    .map(({ stems, also }) => ({ also, stems: stems.length, length: lengthAt(words, at, stems) }))
    .filter(({ length }) => length > 0)
  const longest = Math.max(0, ...fits.map(({ stems }) => stems))
  const chosen = fits.filter(({ stems }) => stems === longest)
  return { length: chosen[0]?.length ?? 1, also: chosen.flatMap(({ also }) => also) }
}

/** The number of words that match the phrase here, with fillers between them; 0 if they don't match. */
function lengthAt(words: readonly string[], at: number, stems: readonly string[]): number {
  let place = at
  for (const stem of stems) {
    while (
      place > at &&
      place < words.length &&
      stemmer(words[place] ?? '') !== stem &&
      fillers.has(words[place] ?? '')
    )
      place += 1
    if (stemmer(words[place] ?? '') !== stem) return 0
    place += 1
  }
  return place - at
}
