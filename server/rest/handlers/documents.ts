import type { Handler } from '../handler-types.ts'
import { toDocument } from '../projections/document.ts'

export const createDocument: Handler<'createDocument'> = async ({ body, write }) => {
  const made = await write(({ documents }, writer) => documents.register(writer, body))
  return { body: toDocument(made.content), count: 1, patientId: body.patientId, made }
}
