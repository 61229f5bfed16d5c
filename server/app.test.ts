/** Which process answers what, when the APIs and the portal run apart. */
import { describe, expect, test } from 'vitest'
import { pagePatterns } from '../tests/support/portal-pages.ts'
import { testServices } from '../tests/support/services.ts'
import { createApiApp, isApiTarget } from './app.ts'

describe('what the process of the APIs keeps for itself', () => {
  test('is every path that its routes answer', async () => {
    const services = await testServices()
    const paths = createApiApp(services)
      .routes.map(({ path }) => path.replaceAll('*', 'x').replaceAll(/:\w+(\{[^}]*\})?/g, 'x'))
      .filter((path) => path !== '/x')

    expect(paths.length).toBeGreaterThan(30)
    expect(paths.filter((path) => !isApiTarget(path))).toEqual([])
  })

  test('is no page', () => {
    expect(pagePatterns.length).toBeGreaterThan(100)
    expect(pagePatterns.filter((pattern) => isApiTarget(pattern.replaceAll(/[:*]\w*\??/g, 'x')))).toEqual([])
  })

  test.each([
    ['/r4', true],
    ['/r4?x=/docs', true],
    ['/r%34/harbor/metadata', true],
    ['http://portal.example/r4/harbor/metadata', true],
    ['/docs/../r4/harbor', true],
    ['/r4x', false],
    ['/R4/harbor', false],
    ['//r4/harbor', true],
    ['/docs?next=/r4/', false],
    ['/docs/r4/', false],
    ['*', false],
    ['/%zz', false],
    ['http://', false],
  ])('%s: %s', (target, expected) => {
    expect(isApiTarget(target)).toBe(expected)
  })
})
