/** Template ids, and the codes that many entries have. */
import { ccdaRoot } from '../contract/fhir/ccda-sections.ts'
import { actCodeSystem } from '../contract/fhir/ccda-values.ts'
import { code } from './values.ts'
import { el, join, type Xml } from './xml.ts'

/**
 * Of a template of C-CDA, with its version. What has a version stands without it as well, for readers of R1.1.
 * @param root below the root of C-CDA, or whole
 */
export function template(root: string, extension: string | null = null): Xml {
  const key = `${root} ${extension}`
  const known = written.get(key)
  if (known !== undefined) return known
  const its = writeTemplate(root, extension)
  written.set(key, its)
  return its
}

/** As many as there are templates. */
const written = new Map<string, Xml>()

function writeTemplate(root: string, extension: string | null): Xml {
  const whole = root.startsWith('2.16.') ? root : `${ccdaRoot}.${root}`
  const plain = el('templateId', { root: whole })
  return extension === null ? plain : join([el('templateId', { root: whole, extension }), plain])
}

/** Of one version alone: for templates that R1.1 does not have. */
export function newTemplate(root: string, extension: string): Xml {
  return el('templateId', { root: `${ccdaRoot}.${root}`, extension })
}

export function status(value: string): Xml {
  return el('statusCode', { code: value })
}

export const assertion = code('code', { code: 'ASSERTION', display: 'Assertion' }, actCodeSystem)
export const concern = code(
  'code',
  { code: 'CONC', display: 'Concern' },
  { oid: '2.16.840.1.113883.5.6', name: 'ActClass' },
)
