import { Problem } from '../../contract/http/problems.ts'
import { listPatients as listThem } from '../../domain/patients/list-patients.ts'
import { toPatient } from '../../search/patient-record.ts'
import type { Handler } from '../handler-types.ts'

export const listPatients: Handler<'listPatients'> = async ({ query, search }) => {
  const body = await listThem(search, query)
  const { data } = body
  return { body, count: data.length, patientId: data.length === 1 ? (data[0]?.id ?? null) : null }
}

/** Another practice's patient is not in the key's dataset, and so is not found by the same line. */
export const getPatient: Handler<'getPatient'> = async ({ params, read }) => {
  const found = await read('Patient', params.id)
  if (found === null) throw new Problem('not_found')
  return { body: toPatient(found.content), count: 1, patientId: found.id }
}

export const createPatient: Handler<'createPatient'> = async ({ body, write }) => {
  const made = await write(({ patients }, writer) => patients.create(writer, body))
  return { body: toPatient(made.content), count: 1, patientId: made.id, made }
}
