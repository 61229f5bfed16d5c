import { connect } from 'node:net'

/** What comes back on one connection, until it closes or falls silent. */
export function sendBytes(
  port: number,
  text: string,
  more: readonly string[] = [],
): Promise<{ text: string; closed: boolean }> {
  return new Promise((resolve, reject) => {
    let got = ''
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(text)
      for (const piece of more) socket.write(piece)
    })
    let silence: NodeJS.Timeout
    const end = (closed: boolean) => {
      clearTimeout(silence)
      socket.destroy()
      resolve({ text: got, closed })
    }
    const wait = () => {
      clearTimeout(silence)
      silence = setTimeout(() => end(false), 1_500)
    }
    wait()
    socket.on('data', (bytes) => {
      got += bytes.toString('latin1')
      wait()
    })
    socket.on('close', () => end(true))
    socket.on('error', (error: NodeJS.ErrnoException) =>
      error.code === 'ECONNRESET' || error.code === 'EPIPE' ? end(true) : reject(error),
    )
  })
}
