/** Pages of the documentation that journeys look at. */
import { guidePath } from '../../app/shared/guides/guide-path.ts'
import { howTos } from '../../app/shared/guides/how-tos.ts'
import { guides } from '../../app/shared/guides/list.ts'

/** One page of each kind, to look at in both themes and widths. */
export const docsPages = [
  '/docs',
  '/docs/start',
  '/docs/bulk',
  '/docs/errors',
  '/docs/errors/validation',
  '/docs/how-to/refresh-a-token',
  '/docs/reference/fhir/Observation',
  '/docs/reference/rest/listPatients',
  '/docs/changelog',
  '/docs/search?q=retry',
]

const sampledHowTos = new Set<string>(howTos.filter((_, place) => place % 10 === 0).map(({ slug }) => slug))

/**
 * The other guides; how-tos have one form, so every tenth of them. The long sweep looks at each
 * (`npm run test:long -- --pages`).
 */
export const sampledGuides = guides
  .filter(({ slug }) => !slug.startsWith('how-to/') || sampledHowTos.has(slug))
  .map(({ slug }) => guidePath(slug))
  .filter((path) => !docsPages.includes(path))
