/**
 * Addresses of the guides to look at in a browser: all but the how-tos, which have one form; of them every tenth. The
 * long sweep of all pages looks at each (`npm run test:long -- --pages`).
 */
import { guidePath } from '../../app/shared/guides/guide-path.ts'
import { howTos } from '../../app/shared/guides/how-tos.ts'
import { guides } from '../../app/shared/guides/list.ts'

const sampledHowTos = new Set<string>(howTos.filter((_, place) => place % 10 === 0).map(({ slug }) => slug))

export const sampledGuides = guides
  .filter(({ slug }) => !slug.startsWith('how-to/') || sampledHowTos.has(slug))
  .map(({ slug }) => guidePath(slug))
