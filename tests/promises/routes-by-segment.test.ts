/** A page is found among the routes of its first segment as it is among all. */
import { matchRoutes } from '@remix-run/react'
import type { ServerBuild } from '@remix-run/server-runtime'
import { expect, test, vi } from 'vitest'
import routes from '../../app/routes.ts'
import { groupBySegment } from '../../server/portal/portal-handler.ts'
import { pagePatterns } from '../support/portal-pages.ts'
import { slice } from '../support/slice.ts'

type Config = (typeof routes)[number]
type Entry = { id: string; parentId?: string; path?: string; index?: boolean }

const entries: Record<string, Entry> = { root: { id: 'root', path: '' } }
function add({ path, index, children = [] }: Config, parentId: string): void {
  const id = `${Object.keys(entries).length}`
  // Names are not numbers: their order in an object is theirs.
  entries[`route-${id}`] = {
    id: `route-${id}`,
    parentId,
    ...(path !== undefined && { path }),
    ...(index && { index }),
  }
  for (const child of children) add(child, `route-${id}`)
}
for (const each of routes) add(each, 'root')
const build = { routes: entries, assets: { routes: entries } } as unknown as ServerBuild
const partFor = groupBySegment(build)

type Tree = { id: string; path?: string; index?: boolean; children?: Tree[] }
const trees = new Map<ServerBuild, Tree[]>()
function treeOf(part: ServerBuild): Tree[] {
  const childrenOf = (parent: string | undefined): Tree[] =>
    Object.values(part.routes)
      .filter(({ parentId }) => parentId === parent)
      .map(({ id, path, index }) => ({
        id,
        ...(path !== undefined && { path }),
        ...(index ? { index } : { children: childrenOf(id) }),
      }))
  const tree = trees.get(part) ?? childrenOf(undefined)
  trees.set(part, tree)
  return tree
}

const found = (part: ServerBuild, path: string) =>
  matchRoutes(treeOf(part) as never, path)?.map(({ route, params }) => [route.id, params]) ?? null

const asked = pagePatterns.flatMap((pattern) => {
  const path = pattern.replace(/:\w+/g, 'some-name').replace('*', 'no/such/page')
  return [path, `${path}/`, path.toUpperCase(), `${path}.data`, `${path}/more`, path.replace('s', '%73')]
})

test('every address leads to the same page as among all routes', () => {
  // The router says which address it could not decode.
  vi.spyOn(console, 'warn').mockImplementation(() => undefined)
  expect(asked.length).toBeGreaterThan(1_000)
  const odd = [
    '/',
    '//docs',
    '/docs//rest',
    '/%',
    '/%zz',
    '/%2fdocs',
    '/_root.data',
    '/docs.data',
    '/ＤＯＣＳ',
    '/:slug',
  ]
  for (const path of [...slice(asked, 150), ...odd])
    expect(found(partFor(path), path), path).toEqual(found(build, path))
})
