/**
 * The CCD as an HTML page for people, with the same sections as the XML. It has no script and no external stylesheet,
 * and the chart's content is always escaped as text.
 */
import { createHash } from 'node:crypto'
import { type CcdaSectionKey, ccdaSections } from '../contract/fhir/ccda-sections.ts'
import { ccdaSectionClass } from '../contract/keys/class-coverage.ts'
import { mayRead } from '../contract/keys/key-access.ts'
import type { Chart } from './chart.ts'
import { sections, withheldSection } from './document.ts'
import { documentTitle } from './header.ts'
import { shownName } from './people.ts'
import { shownTime } from './times.ts'
import { close, el, join, open, text, type Xml } from './xml.ts'

const style = `
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
body { margin: 0 auto; max-width: 72rem; padding: 1rem; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 0 1rem; }
dt { font-weight: 600; } dd { margin: 0; }
nav ul { columns: 14rem; padding-left: 1.25rem; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; }
th, td { border: 1px solid #767676; padding: .25rem .5rem; text-align: left; vertical-align: top; white-space: pre-line; }
@media print { nav { display: none; } }
`

/** This Content-Security-Policy allows the stylesheet above and nothing else. */
export const pagePolicy = `sandbox; default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; frame-ancestors 'none'`

export async function* writePage(chart: Chart): AsyncGenerator<string, void> {
  const { patient, practice, changedAt, access } = chart
  const isNamed = mayRead(access ?? null, 'demographics')
  const name = isNamed ? shownName(patient.name) || 'A patient without a name' : 'Name left out'
  yield '<!doctype html>\n'
  yield open('html', { lang: 'en' })
  yield el(
    'head',
    {},
    '<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">' as Xml,
    el('title', {}, text(`${documentTitle}: ${name}`)),
    el('style', {}, style as Xml),
  )
  yield join([open('body', {}), open('main', {}), el('h1', {}, text(documentTitle))])
  yield el(
    'dl',
    {},
    term('Patient', name),
    term('Born', isNamed ? shownTime(patient.birthDate) : 'left out'),
    term('Sex', isNamed ? (patient.gender ?? 'unknown') : 'left out'),
    term('Record number', patient.identifier?.map(({ value }) => value ?? '').join(', ') ?? ''),
    term('Practice', practice.name),
    term('As of', `${shownTime(changedAt.toISOString())} UTC`),
  )
  yield contents()
  for (const key of keys) yield* writeSection(chart, key)
  yield join([close('main'), close('body'), close('html')])
  yield '\n'
}

const keys = Object.keys(ccdaSections) as CcdaSectionKey[]

function contents(): Xml {
  return el(
    'nav',
    { 'aria-label': 'Sections' },
    el(
      'ul',
      {},
      keys.map((key) => el('li', {}, el('a', { href: `#${key}` }, text(ccdaSections[key].title)))),
    ),
  )
}

async function* writeSection(chart: Chart, key: CcdaSectionKey): AsyncGenerator<Xml, void> {
  const { columns, nothing, items } = sections[key]
  const { title } = ccdaSections[key]
  yield join([
    open('section', { id: key, 'aria-labelledby': `${key}-title` }),
    el('h2', { id: `${key}-title` }, text(title)),
  ])
  if (!mayRead(chart.access ?? null, ccdaSectionClass[key])) {
    yield join([el('p', {}, text(withheldSection)), close('section')])
    return
  }
  let empty = true
  for await (const { rows } of items(chart)) {
    if (empty) {
      yield join([
        open('div', { class: 'wide', tabindex: 0, role: 'region', 'aria-labelledby': `${key}-title` }),
        open('table', {}),
        el(
          'thead',
          {},
          el(
            'tr',
            {},
            columns.map((column) => el('th', { scope: 'col' }, text(column))),
          ),
        ),
        open('tbody', {}),
      ])
      empty = false
    }
    yield join(
      rows.map(({ ref, cells }) =>
        el(
          'tr',
          { id: ref },
          cells.map((cell) => tableCell(cell)),
        ),
      ),
    )
  }
  yield empty ? el('p', {}, text(nothing)) : join([close('tbody'), close('table'), close('div')])
  yield close('section')
}

/** HTML has no self-closing `<td/>`, which `el` would write for an empty cell. */
const tableCell = (cell: string): Xml => `<td>${text(cell)}</td>` as Xml

const term = (name: string, value: string): Xml =>
  join([el('dt', {}, text(name)), `<dd>${text(value)}</dd>` as Xml])
