/** Which practice a request is for: the one of the address, else of the draft; without one, a list to choose from. */
import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/server-runtime'
import { limits } from '../../../server/contract/http/limits.ts'
import { isProblem } from '../../../server/contract/http/problems.ts'
import { pageOf, readPageAsk } from '../../../server/contract/portal/paging.ts'

type Args = LoaderFunctionArgs | ActionFunctionArgs

/** @param drafted login slug of the draft's practice. `choose` in the address asks for the list all the same */
export async function loadPractice(args: Args, drafted: string | null) {
  const query = new URL(args.request.url).searchParams
  const typed = tidy(query.get('practice') ?? '') || null
  const slug = typed ?? (query.has('choose') ? null : drafted)
  const found = slug === null ? { practice: null, wrong: null } : await findPractice(args, slug)
  return found.practice ? { practice: found.practice } : { picker: await list(args, found.wrong, typed) }
}

const tidy = (slug: string) => slug.replaceAll('\0', '').trim().toLowerCase().slice(0, limits.practiceIdMax)

async function findPractice({ context }: Args, slug: string) {
  try {
    const { name } = await context.services.productionKeys.findPractice(slug)
    return { practice: { slug, name }, wrong: null }
  } catch (thrown) {
    if (!isProblem(thrown) || thrown.field !== 'practiceSlug') throw thrown
    return { practice: null, wrong: thrown.message }
  }
}

/** Names and places of the public directory, and nothing else. */
async function list({ context, request }: Args, wrong: string | null, typed: string | null) {
  const ask = readPageAsk(new URL(request.url).searchParams)
  const listed = pageOf(ask, await context.services.directory.search('production', ask.q))
  const rows = listed.rows.map(({ slug, name, npi, address }) => ({
    slug,
    name,
    npi,
    place: address && `${address.city}, ${address.state} ${address.postalCode}`,
  }))
  return { listed: { ...listed, q: ask.q, rows }, wrong, typed }
}
