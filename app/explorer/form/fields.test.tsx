import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { describeOperation, openApi } from '../../shared/operations/describe-operation.server.ts'
import { addressParts } from './address.ts'
import { Fields } from './fields.tsx'

/** The fields of reading a patient, as a document describes it. */
function formOf(document: ReturnType<typeof openApi>) {
  const operation = describeOperation('getPatient', document)
  if (!operation) throw new Error('the document has no such operation')
  const html = renderToStaticMarkup(
    <Fields fields={operation.fields} values={{}} choices={{}} fault={null} />,
  )
  const [open = '', folded = ''] = html.split('<details')
  return { operation, open, folded }
}

test('the form is made from the OpenAPI document: a change of the document changes the form', () => {
  const changed = structuredClone(openApi('sandbox'))
  const { get } = changed.paths['/patients/{id}'] as { get: { summary: string; parameters: object[] } }
  get.summary = 'Read one person'
  const part = { name: 'part', in: 'query', required: true, description: 'Which part of the record.' }
  get.parameters = [
    { ...get.parameters[0], description: 'The chart’s own ID.' },
    { ...part, schema: { type: 'string', enum: ['name', 'address'] } },
    { name: 'page', in: 'query', schema: { type: 'integer', maximum: 9 } },
    ...get.parameters.slice(1),
  ]

  const before = formOf(openApi('sandbox'))
  const after = formOf(changed)

  expect(before.open).toContain('name="p.id"')
  expect(before.folded).toContain('Optional parameters (1)')
  expect(before.open + before.folded).not.toContain('q.part')
  expect(after.operation.summary).toBe('Read one person')
  for (const text of ['The chart’s own ID.', 'Which part of the record.', '<option value="address">'])
    expect(after.open).toContain(text)
  expect(after.open).toMatch(/<select[^>]*name="q.part"[^>]*aria-required="true"/)
  expect(after.folded).toContain('Optional parameters (2)')
  expect(after.folded).toMatch(/<input[^>]*name="q.page"[^>]*max="9"/)
  const values = (input: string) => (input === 'q.part' ? ['name'] : [])
  const parts = addressParts('/patients/{id}', after.operation.fields, values)
  expect(parts.map(({ text }) => text).join('')).toBe('/patients/{id}?part=name')
})
