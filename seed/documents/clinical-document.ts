/** A small C-CDA of one section, as another practice may have sent it: https://www.hl7.org/ccdasearch/ */
import type { DocumentEvent } from '../timeline/events.ts'

export function clinicalDocument({ title, type, at, text }: DocumentEvent, patientName: string): string {
  const day = at.slice(0, 10).replaceAll('-', '')
  const paragraphs = (text ?? '')
    .split('\n')
    .map((line) => `          <paragraph>${escaped(line)}</paragraph>`)
  return `<?xml version="1.0" encoding="UTF-8"?>
<ClinicalDocument xmlns="urn:hl7-org:v3">
  <realmCode code="US"/>
  <typeId root="2.16.840.1.113883.1.3" extension="POCD_HD000040"/>
  <templateId root="2.16.840.1.113883.10.20.22.1.1" extension="2015-08-01"/>
  <code code="${type.code}" codeSystem="2.16.840.1.113883.6.1" displayName="${escaped(type.display ?? '')}"/>
  <title>${escaped(title)}</title>
  <effectiveTime value="${day}"/>
  <confidentialityCode code="N" codeSystem="2.16.840.1.113883.5.25"/>
  <languageCode code="en-US"/>
  <recordTarget>
    <patientRole>
      <patient><name>${escaped(patientName)}</name></patient>
    </patientRole>
  </recordTarget>
  <component>
    <structuredBody>
      <component>
        <section>
          <title>Summary</title>
          <text>
${paragraphs.join('\n')}
          </text>
        </section>
      </component>
    </structuredBody>
  </component>
</ClinicalDocument>
`
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
