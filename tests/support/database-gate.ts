/** A way to the test database that can be shut, as when the database is stopped, and opened again. */
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

  function keep(socket: Socket): void {
    sockets.add(socket)
    socket.on('error', () => {}) // cut on purpose
    socket.on('close', () => sockets.delete(socket))
  }

  async function open(): Promise<void> {
    server = createServer((near) => {
      const far = socketFolder?.startsWith('/')
        ? connect(join(socketFolder, `.s.PGSQL.${port}`))
        : connect(Number(port), target.hostname)
      keep(near)
      keep(far)
      near.pipe(far).pipe(near)
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

  await open()
  return {
    url: through.href,
    shut,
    open,
    async close() {
      await shut()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
