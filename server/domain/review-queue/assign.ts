/** Who looks at a request: given to a reviewer by a colleague, many at once; a colleague who covers gets it while that reviewer is away. */
import type { Prisma } from '../../../prisma/generated/client/client.ts'
import { isProblem, Problem } from '../../contract/http/problems.ts'
import type { ReviewNoun } from '../../contract/workflows/review-queue.ts'
import type { Actor } from '../actor.ts'
import type { Core } from '../core.ts'
import { assign as assignProductionKey } from '../production-keys/reviews.ts'
import { assign as assignRegistration } from '../registrations/reviews.ts'
import { requireStaff } from '../staff.ts'

type AssignInput = Readonly<{
  requests: readonly Readonly<{ noun: ReviewNoun; id: string }>[]
  reviewerId: string
}>

/** @throws Problem `forbidden` for everybody but reviewers; what is wrong with one request does not stop the others */
export async function assign(core: Core, { requests, reviewerId }: AssignInput, actor: Actor) {
  await requireStaff(core.prisma, actor, ['reviewer'])
  const refused: { name: string; reason: string }[] = []
  let assigned = 0
  for (const { noun, id } of requests) {
    try {
      if (noun === 'registration') await assignRegistration(core, { registrationId: id, reviewerId }, actor)
      else if (noun === 'production_key_request')
        await assignProductionKey(core, { requestId: id, reviewerId }, actor)
      else throw new Problem('conflict', { message: 'Any reviewer can decide on a sandbox key.' })
      assigned += 1
    } catch (thrown) {
      if (!isProblem(thrown) || thrown.status >= 500 || thrown.field === 'stepUp') throw thrown
      refused.push({ name: await nameOf(core.prisma, noun, id), reason: thrown.message })
    }
  }
  return {
    done: assigned,
    /** The name of each request that was not assigned, with the reason. */
    refused,
  }
}

async function nameOf(prisma: Prisma.TransactionClient, noun: ReviewNoun, id: string): Promise<string> {
  const selectName = { where: { id }, select: { name: true } }
  const row =
    noun === 'registration'
      ? await prisma.registration.findUnique(selectName)
      : noun === 'production_key_request'
        ? await prisma.productionKeyRequest.findUnique(selectName)
        : await prisma.sandboxKeyRequest.findUnique(selectName)
  return row?.name || 'A request without a name'
}
