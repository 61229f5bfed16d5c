/** A badge as SVG: it stands on pages of others, so its colors are its own and its words do not need them. */
import type { StatusSnapshot } from '../../../server/domain/status/status-page.ts'
import { badgeWords } from '../../shared/status/status-words.ts'

/** White on each of these has a contrast of at least 4.5. */
const grounds = { ok: '#17603d', turn: '#7a4b00', bad: '#a8201a', quiet: '#44544f' } as const
const label = 'status'
/** Of an average letter at 11 px, and around a word. */
const letter = 6.6
const around = 14

export function statusBadge(snapshot: Pick<StatusSnapshot, 'platform'>): string {
  const { words, tone } = badgeWords(snapshot)
  const left = Math.round(label.length * letter + around)
  const right = Math.round(words.length * letter + around)
  const text = (x: number, what: string) =>
    `<text x="${x}" y="14" text-anchor="middle" fill="#fff">${what}</text>`
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="20" role="img" aria-label="${label}: ${words}">`,
    `<title>${label}: ${words}</title>`,
    `<clipPath id="r"><rect width="${left + right}" height="20" rx="4"/></clipPath>`,
    `<g clip-path="url(#r)"><rect width="${left}" height="20" fill="#12211f"/>`,
    `<rect x="${left}" width="${right}" height="20" fill="${grounds[tone]}"/></g>`,
    `<g font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">`,
    text(left / 2, label),
    text(left + right / 2, words),
    '</g></svg>\n',
  ].join('')
}
