/** A way to the test database that can be shut, as when the database is stopped, hang, or only pretend to be open. */
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export type DatabaseGate = {
  /** The same database, by way of the gate. */
  url: string
  /** Cuts every connection and takes no more. */
  shut: () => Promise<void>
  open: () => Promise<void>
  /** Cuts every connection, takes new ones and closes them at once, as a proxy without a database behind it. */
  refuse: () => Promise<void>
  /** Keeps every connection and takes new ones, but carries nothing until it is opened. */
  hang: () => void
  /** Connections taken since the last call. */
  takeCount: () => number
  close: () => Promise<void>
}

/** @param url whose `host` parameter or host name is where PostgreSQL listens */
export async function openDatabaseGate(url: string): Promise<DatabaseGate> {
  const target = new URL(url)
  const folder = mkdtempSync(join(tmpdir(), 'gate-'))
  const port = target.port || target.searchParams.get('port') || '5432'
  const path = join(folder, `.s.PGSQL.${port}`)
  const socketFolder = target.searchParams.get('host')
  const through = new URL(url)
  through.searchParams.set('host', folder)
  through.search = through.search.replaceAll('+', '%20')

  const sockets = new Set<Socket>()
  let server: Server | undefined
  let behavior: 'carry' | 'refuse' | 'hang' = 'carry'
  let count = 0

  function keep(socket: Socket): void {
    sockets.add(socket)
    socket.on('error', () => {}) // cut on purpose
    socket.on('close', () => sockets.delete(socket))
  }

  async function open(): Promise<void> {
    behavior = 'carry'
    for (const socket of sockets) socket.resume()
    if (server?.listening) return
    server = createServer((near) => {
      count += 1
      if (behavior === 'refuse') {
        near.on('error', () => {}) // closed on purpose
        // An orderly end: the client takes it for one of its server's.
        near.once('data', () => near.end())
        return
      }
      const far = socketFolder?.startsWith('/')
        ? connect(join(socketFolder, `.s.PGSQL.${port}`))
        : connect(Number(port), target.hostname)
      keep(near)
      keep(far)
      near.pipe(far).pipe(near)
      if (behavior === 'hang') near.pause()
      near.on('close', () => far.destroy())
      far.on('close', () => near.destroy())
    })
    await new Promise<void>((resolve) => server?.listen(path, resolve))
  }

  async function shut(): Promise<void> {
    const closed = new Promise<void>((resolve) => server?.close(() => resolve()))
    for (const socket of sockets) socket.destroy()
    await closed
    if (existsSync(path)) rmSync(path)
  }

  async function refuse(): Promise<void> {
    behavior = 'refuse'
    for (const socket of sockets) socket.destroy()
  }

  function hang(): void {
    behavior = 'hang'
    for (const socket of sockets) socket.pause()
  }

  await open()
  return {
    url: through.href,
    shut,
    open,
    refuse,
    hang,
    takeCount() {
      const taken = count
      count = 0
      return taken
    },
    async close() {
      await shut()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
