import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { vitePlugin as remix } from '@remix-run/dev'
import { defineConfig, type Plugin, type Rollup } from 'vite'
import manifest from './package.json' with { type: 'json' }

declare module '@remix-run/server-runtime' {
  interface Future {
    v3_singleFetch: true
  }
}

const buildDirectory = 'build/portal'

export default defineConfig(({ isSsrBuild }) => ({
  plugins: [
    stillScript(isSsrBuild === true),
    pureDeclarations(isSsrBuild === true),
    remix({
      buildDirectory,
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
      '@remix-run/react',
      '@remix-run/server-runtime',
      'cmdk',
      'radix-ui',
      'react',
      'react-dom/client',
      'zod',
    ],
    // Its index would be read whole; app/components/ui/icons.ts imports each icon by its path.
    exclude: ['lucide-react'],
  },
  // Packages for serving stay outside the build; all others are part of it (decision 212).
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
 * of each of two dozen modules, and every page two dozen requests. What the script of still pages needs is a file of
 * its own, so that it does not bring the frame along; and React begins in the entry's own file, so that the palette of
 * those pages, which shares the frame's, does not begin it.
 */
function frameChunk(): Rollup.GetManualChunk {
  let frame: Set<string> | undefined
  let still: Set<string> | undefined
  return (id, { getModuleIds, getModuleInfo }) => {
    const ids = [...getModuleIds()]
    frame ??= importedBy(ids.filter(isFrame), getModuleInfo)
    still ??= importedBy(ids.filter(isStillScript), getModuleInfo)
    if (isStillScript(id) || /\/app\/entry\.client\.tsx$/.test(id)) return undefined
    if (still.has(id) || /\bvite\/preload-helper\b/.test(id)) return 'parts'
    if (frame.has(id)) return 'frame'
    if (ofForms.test(id)) return 'form'
    if (ofRequests.test(id)) return 'request'
    return ofMostPages.test(id) ? 'ui' : undefined
  }
}

/** Small parts of most pages, in one file, those of forms in another, and those of requests under review in a third. */
const ofMostPages =
  /\/app\/(?:components\/ui\/(?:list|code-block|timeline|return-focus|dialog|hydrated|fresh)|shared\/frames\/(?:side-frame|account-menu|shell|shell-error|console-frame)|shared\/keys\/key-words|shared\/sign-in\/confirm-first|lib\/save-file)\.|\/contract\/(?:portal\/paging|keys\/data-classes)\./
const ofForms =
  /\/app\/(?:components\/ui\/(?:form|keep-input|text-warning|action-form|typed-input)|lib\/(?:form-answer|ask-before-leaving))\./
const ofRequests = /\/app\/review\/queue\/(?!\w+\.route)/

const isFrame = (id: string) => /\/app\/(root|entry\.client)\.tsx($|\?)/.test(id)
const isStillScript = (id: string) => id === stillEntry

/** These modules and what they import, and what that imports, as far as something of it is left in the build. */
function importedBy(start: readonly string[], getModuleInfo: Rollup.GetModuleInfo): Set<string> {
  const found = new Set(start)
  for (const id of found)
    for (const imported of getModuleInfo(id)?.importedIds ?? [])
      if (!imported.includes('\0')) found.add(imported)
  return found
}

const stillEntry = fileURLToPath(new URL('app/entry.still.ts', import.meta.url))

/**
 * Builds `app/entry.still.ts` beside Remix's own entries, and gives the server the address of the file as
 * `entry.still.ts?url`. Vite alone would copy the source. Development serves it as it is.
 */
function stillScript(isServer: boolean): Plugin {
  return {
    name: 'still-script',
    apply: 'build',
    enforce: 'pre',
    buildStart() {
      if (!isServer) this.emitFile({ type: 'chunk', id: stillEntry, name: 'still' })
    },
    load(id) {
      if (id !== `${stillEntry}?url`) return null
      // The browser never writes the element: pages with it are not taken over.
      return `export default ${JSON.stringify(isServer ? builtAddress('app/entry.still.ts') : '')}`
    },
  }
}

/**
 * Rollup keeps a call whose value is unused, because it may have effects. Those in declarations of the contract and the
 * pages have none: marked as pure, schemas that only the server uses leave the build for browsers, and zod with them.
 */
function pureDeclarations(isServer: boolean): Plugin {
  return {
    name: 'pure-declarations',
    apply: 'build',
    transform(code, id) {
      if (isServer || !/\/(?:server\/contract|app)\/.*\.tsx?$/.test(id)) return null
      const values = this.parse(code).body.flatMap((each) => {
        const declared = each.type === 'ExportNamedDeclaration' ? each.declaration : each
        if (declared?.type !== 'VariableDeclaration') return []
        return declared.declarations.flatMap(({ init }) =>
          init ? [init as typeof init & Rollup.AstNode] : [],
        )
      })
      return values
        .filter(({ type }) => /^(?:Array|Call|New|Object)/.test(type))
        .reduceRight(
          (text, { start, end }) =>
            `${text.slice(0, start)}/* @__PURE__ */ (() => (${text.slice(start, end)}))()${text.slice(end)}`,
          code,
        )
    },
  }
}

/** Of a file that the build for browsers, which comes first, made of this source. */
function builtAddress(source: string): string {
  const manifest = JSON.parse(readFileSync(`${buildDirectory}/client/.vite/manifest.json`, 'utf8'))
  return `/${manifest[source].file}`
}
