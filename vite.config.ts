import { fileURLToPath } from 'node:url'
import mdx from '@mdx-js/rollup'
import { vitePlugin as remix } from '@remix-run/dev'
import tailwindcss from '@tailwindcss/vite'
import { defineConfig, type Plugin, type Rollup } from 'vite'
import manifest from './package.json' with { type: 'json' }
import { editDateOf } from './scripts/docs/edit-dates.ts'

declare module '@remix-run/server-runtime' {
  interface Future {
    v3_singleFetch: true
  }
}

export default defineConfig(({ isSsrBuild }) => ({
  plugins: [
    tailwindcss(),
    // Before Remix, which looks into the modules of routes.
    guides(),
    remix({
      buildDirectory: 'build/portal',
      manifest: true,
      ignoredRouteFiles: ['**/*'],
      // The flags of the next major, so that the move is a change of names; routes are known from the start (decision 0081).
      future: {
        v3_fetcherPersist: true,
        v3_relativeSplatPath: true,
        v3_throwAbortReason: true,
        v3_routeConfig: true,
        v3_singleFetch: true,
        v3_lazyRouteDiscovery: false,
      },
    }),
  ],
  // Named, so that development does not find them one page after another and load the page anew.
  optimizeDeps: {
    include: [
      '@conform-to/react',
      '@conform-to/zod/v4',
      '@remix-run/react',
      '@remix-run/server-runtime',
      'cmdk',
      'lucide-react',
      'radix-ui',
      'react',
      'react-dom/client',
      'zod',
    ],
  },
  // Packages for serving stay outside the build; all others are part of it (decision 117).
  ssr: isSsrBuild ? { noExternal: true, external: Object.keys(manifest.dependencies) } : {},
  // The content security policy allows no data: URLs, so nothing is inlined.
  build: {
    assetsInlineLimit: 0,
    sourcemap: false,
    rollupOptions: isSsrBuild
      ? {}
      : { output: { manualChunks: frameChunk(), onlyExplicitManualChunks: true } },
  },
}))

/**
 * One file for what every page loads: the root of the pages and all it imports. Left to itself the build makes a file
 * of each of two dozen modules, and every page two dozen requests.
 */
function frameChunk(): Rollup.GetManualChunk {
  let frame: Set<string> | undefined
  return (id, { getModuleIds, getModuleInfo }) => {
    frame ??= importedBy([...getModuleIds()].filter(isFrame), getModuleInfo)
    return frame.has(id) ? 'frame' : undefined
  }
}

const isFrame = (id: string) => /\/app\/(root|entry\.client)\.tsx($|\?)/.test(id)

/** These modules and what they import, and what that imports, as far as something of it is left in the build. */
function importedBy(start: readonly string[], getModuleInfo: Rollup.GetModuleInfo): Set<string> {
  const found = new Set(start)
  for (const id of found)
    for (const imported of getModuleInfo(id)?.importedIds ?? [])
      if (!/\0|\/node_modules\/zod\//.test(imported)) found.add(imported)
  return found
}

interface MarkdownNode {
  type: string
  name?: string
  lang?: string | null
  value?: string
  position?: { start: { column: number } }
  data?: { hProperties?: Record<string, string> }
  children?: MarkdownNode[]
}

/**
 * Numbers the blocks of code that begin at the beginning of a line, and leaves their text out: the frame's loader has
 * each by its number, in colors and with the addresses of the reader (app/docs/guides/guide-codes.server.ts).
 */
function numberedCodes() {
  return (tree: MarkdownNode) => {
    let place = 0
    for (const node of tree.children ?? [])
      if (node.type === 'code' && node.position?.start.column === 1) {
        node.data = { hProperties: { 'data-place': `${place++}` } }
        node.value = ''
      }
  }
}

/** Programs that follow each other in a guide, each in another language, become the tabs of one. */
function languageTabs() {
  const tabs = 'Languages'
  const isProgram = ({ type, lang }: MarkdownNode) => type === 'code' && (lang === 'js' || lang === 'py')
  return (tree: MarkdownNode) => {
    const grouped: MarkdownNode[] = []
    for (const node of tree.children ?? []) {
      const last = grouped.at(-1)
      if (!isProgram(node)) grouped.push(node)
      else if (last?.name === tabs) last.children?.push(node)
      else
        grouped.push(
          Object.assign({ type: 'mdxJsxFlowElement', name: tabs, children: [node] }, { attributes: [] }),
        )
    }
    tree.children = grouped
  }
}

const docsFolder = fileURLToPath(new URL('docs/', import.meta.url))

/** The guides in docs/ as components, each with the day of its last edit. Asked for as text (`?raw`), they stay text. */
function guides(): Plugin {
  const compiler = mdx({
    include: ['docs/**/*.mdx'],
    remarkPlugins: [numberedCodes, languageTabs],
    providerImportSource: fileURLToPath(new URL('app/docs/guides/mdx-parts.tsx', import.meta.url)),
  }) as Plugin
  const { transform } = compiler
  if (typeof transform !== 'function') throw new Error('the compiler of MDX has no transform')
  return {
    ...compiler,
    async transform(code, id, options) {
      if (/[?&]raw\b/.test(id)) return null
      const [file = ''] = id.split('?')
      const isGuide = file.startsWith(docsFolder) && file.endsWith('.mdx')
      const handle = isGuide ? { edited: editDateOf(file, new Date()) } : null
      const written = handle ? `${code}\n\nexport const handle = ${JSON.stringify(handle)}\n` : code
      return transform.call(this, written, id, options)
    },
  }
}
