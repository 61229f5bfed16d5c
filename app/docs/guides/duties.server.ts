import { guidePath } from '../../shared/guides/guide-path.ts'
import { guides, isGuideSlug } from '../../shared/guides/list.ts'
import { anchorOf } from './anchor.ts'
import { clientDuties } from './client-duties.ts'
import type { Facts } from './facts.ts'

/** What we ask of clients, each with the part of the guide that says it. */
export function dutiesTable(): Facts {
  return {
    label: 'Client checklist',
    heads: ['What to do', 'Interface', 'Explained in'],
    rows: clientDuties.map(({ duty, interface: name, guide, section }) => {
      const title = guides.find(({ slug }) => slug === guide)?.title ?? guide
      const path = isGuideSlug(guide) ? guidePath(guide) : `/docs/${guide}`
      return [duty, name, `[${title}](${path}${section === '' ? '' : `#${anchorOf(section)}`})`]
    }),
  }
}
