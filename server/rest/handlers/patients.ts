import { patientsOf } from '../../audit/call-rows.ts'
import { Problem } from '../../contract/http/problems.ts'
import { mayRead } from '../../contract/keys/key-access.ts'
import { listPatients as listThem } from '../../domain/patients/patients.ts'
import { toPatient } from '../../search/patient-record.ts'
import type { Handler } from '../handler-types.ts'
import { checkPatientQuery, narrowPatient } from '../key-access.ts'

export const listPatients: Handler<'listPatients'> = async ({ query, search, access }) => {
  const seenNow = () => {
    checkPatientQuery(access(), query)
    return { names: mayRead(access(), 'demographics'), numbers: mayRead(access(), 'identifiers') }
  }
  const before = seenNow()
  const first = await listThem(search, query, before)
  const after = seenNow()
  // The key was narrowed meanwhile: even the order of the list would tell too much.
  const isSame = before.names === after.names && before.numbers === after.numbers
  const { data, page } = isSame ? first : await listThem(search, query, after)
  const body = { data: data.map((patient) => narrowPatient(access(), patient)), page }
  return { body, count: data.length, ...patientsOf(data) }
}

/** Another practice's patient is not in the key's dataset, and so is not found by the same line. */
export const getPatient: Handler<'getPatient'> = async ({ params, read, access }) => {
  const found = await read('Patient', params.id)
  if (found === null) throw new Problem('not_found')
  return { body: narrowPatient(access(), toPatient(found.content)), count: 1, patientId: found.id }
}

export const createPatient: Handler<'createPatient'> = async ({ body, write, access }) => {
  const made = await write(({ patients }, writer) => patients.create(writer, body))
  return { body: narrowPatient(access(), toPatient(made.content)), count: 1, patientId: made.id, made }
}
