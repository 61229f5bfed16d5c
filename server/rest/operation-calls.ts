/**
 * Runs an operation on the data of the key's practice. The statement that reads or writes the data decides whether the key
 * is valid. If it is not, the practice may have moved, so the key is read again.
 */

import { createHash } from 'node:crypto'
import { writtenWithRead } from '../audit/log-rows.ts'
import { type ApiKeyPrincipal, accessAt, begunLivenessOf, livenessOf } from '../auth/principal.ts'
import { withLivenessRetry } from '../auth/with-liveness-retry.ts'
import type { CcdService } from '../ccd/ccd.ts'
import type { FhirType } from '../contract/fhir/registry.ts'
import { Problem } from '../contract/http/problems.ts'
import type { KeyCaps } from '../contract/keys/key-caps.ts'
import type { OpenApiDocument } from '../contract/rest/openapi.ts'
import type { OperationId } from '../contract/rest/operations.ts'
import { refused } from '../domain/records/create-record.ts'
import type { Outcome, Writer } from '../domain/records/writer.ts'
import { planRead } from '../search/lists.ts'
import type { SearchPlan } from '../search/plan.ts'
import type { Liveness } from '../store/liveness.ts'
import type { Store } from '../store/store.ts'
import type { Authentication } from './authentication.ts'
import type { Call } from './call.ts'
import { recordOf } from './call-record.ts'
import type { Caps } from './caps.ts'
import type { FoundRecord, Handler, HandlerCall, RecordServices } from './handler-types.ts'
import { handlers } from './handlers.ts'
import { checkAccess } from './key-access.ts'

type Dependencies = RecordServices & {
  store: Pick<Store, 'search' | 'read'>
  ccd: CcdService
  authentication: Pick<Authentication, 'authenticateAnew'>
  caps: Caps
  clock: () => Date
  openApi: OpenApiDocument
}

export function createOperationCalls(dependencies: Dependencies) {
  const { store, ccd, authentication, caps, clock, openApi } = dependencies

  /** @param input parsed against the operation's row */
  function handle<Id extends OperationId>(operationId: Id, input: object, call: Call) {
    const handler = handlers[operationId] as Handler<Id>
    return handler({
      ...(input as Pick<HandlerCall<Id>, 'params' | 'query' | 'body'>),
      principal: call.principal as NonNullable<Call['principal']>,
      openApi,
      search: (plan: SearchPlan) => search(call, plan),
      read: (type: FhirType, id: string) => read(call, type, id),
      answerWith: (type: FhirType, id: string) => read(call, type, id, true),
      write: (make: MakeRecord) => write(call, operationId, input, make),
      openCcd: (patientId: string) => openCcd(call, patientId),
      accept: call.request.headers.get('accept'),
      refresh: () => refresh(call),
      capUse: (capped: KeyCaps) => caps.readUse(capped),
      access: () => accessAt(principalOf(call), clock()),
    } as HandlerCall<Id>)
  }

  function search(call: Call, plan: SearchPlan) {
    return ask(call, ({ practice }, liveness) => store.search(practice.datasetId, plan, liveness))
  }

  /** @param isAnswer the resource is the whole response, so the read also writes the access record, unless the key has caps */
  async function read(call: Call, type: FhirType, id: string, isAnswer = false): Promise<FoundRecord | null> {
    const plan = planRead(type, id)
    const { resource, isRecorded } = await ask(call, ({ practice, caps: counted }, liveness) => {
      const isWritten = isAnswer && counted === null
      const record = isWritten ? recordOf(call, { status: 200, count: 1, patientId: id }) : null
      return store.read(practice.datasetId, plan, liveness, record ? writtenWithRead(record) : undefined)
    })
    return resource && { ...resource, isRecorded: isRecorded ?? false }
  }

  async function openCcd(call: Call, patientId: string) {
    const opened = await ask(call, (principal, liveness) =>
      ccd.open(principal.practice, patientId, liveness, accessAt(principal, clock())),
    )
    return opened.alive ? opened.ccd : null
  }

  /**
   * @param query repeated if the practice has moved to another dataset meanwhile. Later queries of the same call stay with
   * the dataset of the first
   * @throws Problem `unauthorized` if the key is not valid any more
   */
  function ask<Answer extends { readonly alive: boolean }>(
    call: Call,
    query: (principal: ApiKeyPrincipal, liveness: Liveness) => Promise<Answer>,
  ): Promise<Answer> {
    return withLivenessRetry(
      call,
      async () => {
        const principal = principalOf(call)
        checkAccess(call, principal, clock())
        await caps.check(call)
        const liveness = call.begun ? begunLivenessOf : livenessOf
        const answer = await query(principal, liveness(principal, clock()))
        if (answer.alive) call.begun = true
        return answer
      },
      async () => {
        await authentication.authenticateAnew(call)
        // A response must not mix old data with new data.
        if (call.begun) throw new Problem('unavailable', { detail: 'the data went', retryAfterSeconds: 1 })
      },
    )
  }

  /** Like `ask`: the transaction decides whether the key is valid. It always writes to the practice's current dataset. */
  async function write(call: Call, operationId: OperationId, { body }: { body?: unknown }, make: MakeRecord) {
    const once =
      call.idempotencyKey === null
        ? null
        : { name: call.idempotencyKey, request: hashRequest(operationId, body) }
    const { outcome } = await withLivenessRetry(
      call,
      async () => {
        await caps.check(call)
        const principal = principalOf(call)
        call.guard?.(principal)
        checkAccess(call, principal, clock())
        const created = await make(dependencies, {
          principal,
          now: clock(),
          once,
          record: (patientId) => recordOf(call, { status: call.row?.status ?? 200, count: 1, patientId }),
          within: (client, patientId) => caps.checkPatients(principal, { patientId }, client),
        })
        return { alive: created.kind !== 'dead', outcome: created }
      },
      () => authentication.authenticateAnew(call),
    )
    if (outcome.kind === 'created') return { ...outcome, recorded: true }
    if (outcome.kind === 'dead') throw new Problem('internal', { detail: 'a dead write was taken for alive' })
    return { ...(await readAgain(call, outcome.id)), recorded: false }
  }

  /** Reads the record of an earlier request, whose response is not stored. It may have been deleted or withheld since. */
  async function readAgain(call: Call, id: string): Promise<FoundRecord> {
    const type = call.row?.access.resourceType
    if (!type) throw new Problem('internal', { detail: 'a write that makes no resource' })
    const found = await read(call, type, id)
    if (found === null) throw refused('Idempotency-Key', 'was used for a record that is not there any more')
    // Others may have changed the record since, so the caller may get more than it sent.
    if (call.row) call.row = { ...call.row, access: { ...call.row.access, action: 'read' } }
    return found
  }

  async function refresh(call: Call): Promise<ApiKeyPrincipal> {
    if (!call.alive) await authentication.authenticateAnew(call)
    return principalOf(call)
  }

  return { handle, ask }
}

export type OperationCalls = ReturnType<typeof createOperationCalls>

type MakeRecord = (services: RecordServices, writer: Writer) => Promise<Outcome>

function principalOf(call: Call): ApiKeyPrincipal {
  if (call.principal === null) throw new Problem('internal', { detail: 'an operation without a principal' })
  return call.principal
}

// Hashes a request, to compare two requests that have the same Idempotency-Key.

/** SHA-256 of the operation and its parsed body; the order of fields does not matter. */
function hashRequest(operationId: string, body: unknown): Buffer {
  return createHash('sha256')
    .update(operationId)
    .update('\0')
    .update(JSON.stringify(sorted(body)))
    .digest()
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, field]) => field !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, field]) => [name, sorted(field)]),
  )
}
