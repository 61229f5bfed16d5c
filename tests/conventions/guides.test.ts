/** The documentation: every page is there, every link leads somewhere, and every promise to clients is said. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Addresses } from '../../app/docs/guides/addresses.ts'
import { anchorOf } from '../../app/docs/guides/addresses.ts'
import { changelogDays, changelogFeed } from '../../app/docs/guides/changelog.server.ts'
import { clientDuties } from '../../app/docs/guides/client-duties.ts'
import {
  guideFacts,
  guideMarkdown,
  guideSource,
  sectionsOf,
} from '../../app/docs/guides/guide-text.server.ts'
import { docsPages, findDocsPage, llmsText } from '../../app/docs/guides/pages.server.ts'
import { sectionKeywords } from '../../app/docs/guides/section-keywords.ts'
import { referencePages } from '../../app/docs/reference/reference.server.ts'
import { markdownToHtml } from '../../app/lib/markdown.server.ts'
import { guidePath } from '../../app/shared/guides/guide-path.ts'
import { doors, guides } from '../../app/shared/guides/list.ts'
import { navigation } from '../../app/shared/guides/navigation.ts'
import { parseCurl } from '../../app/shared/snippets/parse-curl.ts'
import { limits, windowTable } from '../../server/contract/http/limits.ts'
import { moved } from '../../server/contract/portal/moved.ts'
import { errorCodes } from '../../server/contract/rest/error-codes.ts'
import { rootDir } from '../../server/root-dir.ts'
import { filePatterns, pagePatterns } from '../support/portal-pages.ts'
import { guideFiles, snippets } from '../support/snippets.ts'

const addresses: Addresses = {
  portal: 'https://portal.example',
  rest: 'https://rest.example',
  fhir: 'https://fhir.example',
}

const markdownOf = (slug: (typeof guides)[number]['slug']) => guideMarkdown(slug, addresses)
const slugs = guides.map(({ slug }) => slug)

/** Addresses of the portal that pages lead to, as patterns; a guide may link to these. */
const portalPaths = [...pagePatterns, ...filePatterns]
  .filter((pattern) => !pattern.includes('*'))
  .map((pattern) => new RegExp(`^${pattern.replace(/:\w+/g, '[^/]+')}$`))

describe('every guide', () => {
  test('of the list is written, and every file is in the list', () => {
    expect(guideFiles.map((name) => name.replace('.mdx', '')).sort()).toEqual([...slugs].sort())
  })

  test.each(guides)(
    '$slug begins with its title and shows its tables, none of them typed',
    ({ slug, title }) => {
      const source = guideSource(slug)
      const outside = source.replace(/^```[\s\S]*?^```$/gm, '').replace(/`[^`]*`/g, '')

      expect(source.split('\n')[0]).toBe(`# ${title}`)
      expect(outside.match(/^#+ .*$/gm)?.filter((line) => line.startsWith('# '))).toHaveLength(1)
      expect(outside).not.toMatch(/^\|/m)
      // What is left are the components that Markdown knows how to write.
      expect(outside.replace(/^<(Facts of="[a-z-]+"|Steps of="[a-z]+") \/>$/gm, '')).not.toMatch(/[<{}]/)
      for (const { heads, rows } of Object.values(guideFacts(slug, addresses))) {
        expect(rows.length).toBeGreaterThan(0)
        for (const row of rows) expect(row).toHaveLength(heads.length)
      }
      const markdown = markdownOf(slug)
      expect(markdown).not.toMatch(/<Facts|<Steps|(PUBLIC|REST|FHIR)_ORIGIN|SANDBOX_BASE|APP_[CR]/)
      const anchors = sectionsOf(markdown).map(({ anchor }) => anchor)
      expect(new Set(anchors).size).toBe(anchors.length)
    },
  )
})

test('commands have a placeholder for the sandbox, or the one of a reader who is signed in', () => {
  const own = { base: 'https://fhir.example/r4/sandbox-1', clientId: null, redirectUri: null }

  expect(guideMarkdown('smart', addresses)).toContain('https://fhir.example/r4/YOUR-SANDBOX/authorize?')
  expect(guideMarkdown('smart', { ...addresses, own })).toContain(
    'https://fhir.example/r4/sandbox-1/authorize?',
  )
})

describe('links', () => {
  test('between pages, and to parts of them, lead somewhere', () => {
    const dead = docsPages(addresses).flatMap(({ path, markdown }) =>
      [...markdown.replace(/^```[\s\S]*?^```$/gm, '').matchAll(/\]\((\/[^)\s]*)\)/g)]
        .map(([, link = '']) => link)
        .filter((link) => !leadsSomewhere(link))
        .map((link) => `${path}: ${link}`),
    )

    expect(dead).toEqual([])
  })

  test('of the navigation, of moved guides and of words for sections lead somewhere', () => {
    const addressesOfSections = [
      ...Object.values(moved),
      ...Object.keys(sectionKeywords).map((to) => `/docs/${to}`),
    ]
    const targets = [...navigation.map(({ to }) => to), ...addressesOfSections]

    expect(targets.filter((to) => to.startsWith('/docs') && !leadsSomewhere(to))).toEqual([])
    for (const door of doors) expect(navigation.filter((entry) => entry.door === door).length).toBeLessThan(9)
  })

  function leadsSomewhere(link: string): boolean {
    const [path = '', anchor] = link.replace(/\?[^#]*/, '').split('#')
    if (!path.startsWith('/docs')) return portalPaths.some((pattern) => pattern.test(path))
    const page = findDocsPage(path, addresses)
    if (!page) return false
    return anchor === undefined || sectionsOf(page.markdown).some((section) => section.anchor === anchor)
  }
})

describe('what the specification asks of clients', () => {
  test.each(clientDuties.map((each) => [each.duty, each] as const))(
    '%s',
    (_duty, { guide, section, phrase }) => {
      const row = guides.find(({ slug }) => slug === guide)
      const said = row && sectionsOf(markdownOf(row.slug)).find(({ anchor }) => anchor === anchorOf(section))

      expect(said?.text ?? `no section ${guide}#${anchorOf(section)}`).toContain(phrase)
    },
  )

  test('is listed once each, for every interface', () => {
    expect(new Set(clientDuties.map(({ duty }) => duty)).size).toBe(clientDuties.length)
    expect(new Set(clientDuties.map((each) => each.interface)).size).toBe(6)
  })
})

test('the limits in the guides are those of the contract', () => {
  const text = markdownOf('limits')

  for (const { title, windows } of Object.values(windowTable)) {
    expect(text).toContain(title)
    for (const { requests } of windows) expect(text).toContain(requests.toLocaleString('en-US'))
  }
  // Said in sentences, too, where a table would be in the way.
  expect(`${limits.pageSizeMax} ${limits.bulkLinkHours}`).toBe('100 24')
  expect(sectionsOf(markdownOf('paging')).find(({ anchor }) => anchor === 'rest')?.text).toContain(
    'at most 100',
  )
})

describe('for programs', () => {
  test('every page is Markdown, by its address', () => {
    const pages = docsPages(addresses)

    // With the changelog and the index of the reference.
    expect(pages).toHaveLength(guides.length + Object.keys(errorCodes).length + referencePages().length + 2)
    for (const { path, markdown } of pages) {
      expect(findDocsPage(path, addresses)?.markdown).toBe(markdown)
      expect(markdown).toMatch(/^# /)
    }
    expect(findDocsPage('/docs/no-such-page', addresses)).toBeNull()
    expect(findDocsPage('/docs/errors/no-such-code', addresses)).toBeNull()
    expect(findDocsPage('/docs/errors/__proto__', addresses)).toBeNull()
  })

  test('a table of the contract is a table in Markdown', () => {
    expect(markdownOf('limits')).toContain('| Counted per | Burst | Sustained |\n| --- | --- | --- |')
    expect(markdownOf('sandbox-people')).toContain('| `pt-wren-testwell` | Wren Testwell, `SYN-004217` |')
  })

  test('llms.txt lists every guide, every code and every page of the reference', () => {
    const text = llmsText(addresses)

    for (const { slug } of guides) expect(text).toContain(`(https://portal.example${guidePath(slug)}.md)`)
    for (const code of Object.keys(errorCodes))
      expect(text).toContain(`(https://portal.example/docs/errors/${code}.md)`)
    for (const { path } of referencePages()) expect(text).toContain(`(https://portal.example${path}.md)`)
  })

  test('the feed has an entry for each day of the changelog', () => {
    const feed = changelogFeed('https://portal.example', markdownToHtml)

    expect(changelogDays.length).toBeGreaterThan(2)
    for (const { date } of changelogDays) {
      expect(date).toMatch(/^\d{4}-\d\d-\d\d$/)
      expect(feed).toContain(
        `<guid isPermaLink="true">https://portal.example/docs/changelog#day-${date}</guid>`,
      )
    }
    expect(feed.match(/<item>/g)).toHaveLength(changelogDays.length)
    expect(feed.replace(/<[^<>]*>/g, '')).not.toMatch(/[<>]/)
  })
})

describe('the code in the guides', () => {
  test('that is JSON can be read, and that sets variables does nothing else', () => {
    for (const { language, stage, code } of snippets) {
      if (language === 'json') expect(() => JSON.parse(code)).not.toThrow()
      if (stage === 'shell') expect(code).toMatch(/^(export [A-Z_]+=\S+\n?)+$/)
    }
  })

  test('in TypeScript compiles as strictly as ours', () => {
    const cache = join(rootDir, 'node_modules/.cache')
    mkdirSync(cache, { recursive: true })
    const folder = mkdtempSync(join(cache, 'snippets-'))
    const client = join(rootDir, 'clients/typescript/src/client.ts')
    const programs = snippets.filter(({ language }) => language === 'ts')
    for (const [place, { guide, code }] of programs.entries()) {
      const text = code.replace("'@sandpiper-portal/client'", JSON.stringify(client))
      writeFileSync(join(folder, `${guide.replaceAll('/', '-')}-${place}.ts`), `${text}\nexport {}\n`)
    }
    const compilerOptions = { incremental: false, tsBuildInfoFile: null }
    const settings = {
      extends: join(rootDir, 'tsconfig.json'),
      compilerOptions,
      include: ['*.ts'],
      exclude: [],
    }
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(settings))

    const compiler = join(rootDir, 'node_modules/typescript/bin/tsc')
    const { stdout, status } = spawnSync(process.execPath, [compiler, '-p', folder], { encoding: 'utf8' })

    rmSync(folder, { recursive: true })
    expect(stdout).toBe('')
    expect(status).toBe(0)
    expect(programs.length).toBeGreaterThan(8)
  })

  test('that asks for a page of the documentation finds it', () => {
    for (const { code, expected } of snippets.filter(({ stage }) => stage === 'page')) {
      const { method, url } = parseCurl(code.replaceAll('PUBLIC_ORIGIN', addresses.portal), {})
      const page = findDocsPage(new URL(url).pathname.replace(/\.md$/, ''), addresses)

      expect(method).toBe('GET')
      expect(page?.markdown).toContain(expected)
    }
  })
})
