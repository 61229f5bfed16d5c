/**
 * How faults are written: `429`, `latency;ms=2000`, several of one export as `bulk-slow;minutes=3+bulk-partial`; in
 * a script one after the other with counts, `429*2, ok, 503`.
 */

import { Problem } from '../http/problems.ts'
import { type FaultCode, faultHeader, faultRow, faultStepsMax, faults, noFault } from './faults.ts'

export type Fault = Readonly<{ code: FaultCode; value: number | null }>
/** The faults of one request; empty if it runs normally. */
export type FaultStep = readonly Fault[]

const textMax = 1_000

/** @throws Problem `validation` naming the header */
export const parseFaultHeader = (text: string): FaultStep => parseStep(text.trim(), faultHeader)

/** A stored script step. */
export const parseFaultStep = (text: string): FaultStep => parseStep(text, 'script')

/** @returns every step, as often as it is repeated. @throws Problem `validation` naming `script` */
export function parseFaultScript(text: string): FaultStep[] {
  if (text.length > textMax) throw wrong('script', `A script has at most ${textMax} characters.`)
  const steps = text.split(/[,\n]/).flatMap((part) => {
    const [, body = '', times] = /^([^*]*?)(?:\s*\*\s*(\d{1,3}))?$/.exec(part.trim()) ?? []
    const count = times === undefined ? 1 : Number(times)
    if (count < 1 || count > faultStepsMax)
      throw wrong('script', `A step can repeat 1 to ${faultStepsMax} times, such as 429*3.`)
    return Array<FaultStep>(count).fill(parseStep(body, 'script'))
  })
  if (steps.length > faultStepsMax) throw wrong('script', `A script has at most ${faultStepsMax} steps.`)
  if (steps.every((step) => step.length === 0)) throw wrong('script', 'Enter at least one fault.')
  return steps
}

/** Formats a step. The log, the response header and the database all use this form. */
export function formatFaultStep(step: FaultStep): string {
  if (step.length === 0) return noFault
  return step
    .map(({ code, value }) => {
      const { value: row } = faultRow(code)
      return row === undefined || value === null ? code : `${code};${row.name}=${value}`
    })
    .join('+')
}

function parseStep(text: string, field: string): FaultStep {
  if (text === noFault && field === 'script') return []
  const step = text.split('+').map((part) => parseFault(part.trim(), field))
  const codes = new Set(step.map(({ code }) => code))
  if (codes.size < step.length) throw wrong(field, 'Enter each fault only once.')
  if (step.length > 1 && step.some(({ code }) => faultRow(code).kind !== 'plan'))
    throw wrong(field, 'Only faults of an export can be joined by +.')
  return step
}

function parseFault(text: string, field: string): Fault {
  const [code = '', ...parameters] = text.split(';').map((part) => part.trim())
  if (!Object.hasOwn(faults, code))
    throw wrong(field, `Unknown fault. Known faults: ${Object.keys(faults).join(', ')}.`)
  const { value } = faultRow(code as FaultCode)
  if (parameters.length === 0) return { code: code as FaultCode, value: value?.usual ?? null }
  const [, name, digits] = /^([a-z-]+)=(\d{1,6})$/.exec(parameters.join(';')) ?? []
  const seconds = Number(digits)
  if (value === undefined || name !== value.name || seconds < value.min || seconds > value.max)
    throw wrong(
      field,
      value === undefined
        ? `${code} takes no parameter.`
        : `${code} takes ${value.name} from ${value.min} to ${value.max}, such as ${code};${value.name}=${value.usual}.`,
    )
  return { code: code as FaultCode, value: seconds }
}

const wrong = (field: string, message: string): Problem => new Problem('validation', { field, message })
