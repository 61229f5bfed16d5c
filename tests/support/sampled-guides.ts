/** Addresses of the guides to look at in a browser: all but the how-tos, which have one form; of them the first of each group. */
import { guidePath } from '../../app/shared/guides/guide-path.ts'
import { guides } from '../../app/shared/guides/list.ts'

export const sampledGuides = guides
  .filter(
    ({ slug, group }, place) =>
      !slug.startsWith('how-to/') || guides.findIndex((each) => each.group === group) === place,
  )
  .map(({ slug }) => guidePath(slug))
