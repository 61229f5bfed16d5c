import { type ActionFunctionArgs, data, redirect } from '@remix-run/server-runtime'
import { expect, it } from 'vitest'
import { uploadAction } from './upload.server.ts'

const args = {} as ActionFunctionArgs
const answerTo = (action: () => Promise<unknown>) => uploadAction(action)(args)

it('turns a redirect into a value, with every cookie', async () => {
  const headers = new Headers()
  headers.append('set-cookie', 'done=saved')
  headers.append('set-cookie', 'secret=sealed')

  const answer = await answerTo(async () => redirect('/organizations/samplewood', { headers }))

  expect(answer.status).toBe(200)
  expect(await answer.json()).toEqual({ to: '/organizations/samplewood' })
  expect(answer.headers.getSetCookie()).toEqual(['done=saved', 'secret=sealed'])
})

it('leads to the sign-in in the same way when the action throws the redirect', async () => {
  const answer = await answerTo(() => Promise.reject(redirect('/sign-in?to=%2F')))

  expect(await answer.json()).toEqual({ to: '/sign-in?to=%2F' })
})

it('answers a refused form with its status and data', async () => {
  const answer = await answerTo(async () => data({ wrong: 'Use a PDF file.' }, { status: 400 }))

  expect(answer.status).toBe(400)
  expect(await answer.json()).toEqual({ answer: { wrong: 'Use a PDF file.' } })
})

it('answers with the bare status where there is no page to come back to', async () => {
  const answer = await answerTo(() => Promise.reject(data({ message: 'Not here.' }, { status: 404 })))

  expect(answer.status).toBe(404)
  expect(await answer.text()).toBe('')
})

it('lets a fault be a fault', async () => {
  await expect(answerTo(() => Promise.reject(new Error('no database')))).rejects.toThrow('no database')
})
