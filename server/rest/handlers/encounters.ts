import type { Handler } from '../handler-types.ts'
import { toEncounter } from '../projections/encounter.ts'

export const createEncounter: Handler<'createEncounter'> = async ({ body, write }) => {
  const made = await write(({ encounters }, writer) => encounters.start(writer, body))
  return { body: toEncounter(made.content), count: 1, patientId: body.patientId, made }
}
