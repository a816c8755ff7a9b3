import { z } from 'zod'

/** The two ways Phoenix clients write frames: arrays since version 2.0.0, objects before. */
export type Serializer = 'array' | 'object'

export interface Frame {
  joinRef: string | null
  ref: string | null
  topic: string
  event: string
  payload: unknown
}

const LONGEST_NAME = 500
const name = z.string().max(LONGEST_NAME)
const ref = z
  .union([name, z.number().transform(String)])
  .nullish()
  .transform((value) => value ?? null)

const arrayFrame = z
  .tuple([ref, ref, name, name, z.unknown()])
  .transform(([joinRef, reference, topic, event, payload]) => ({ joinRef, ref: reference, topic, event, payload }))
const objectFrame = z
  .object({ join_ref: ref, ref, topic: name, event: name, payload: z.unknown().optional() })
  .transform(({ join_ref: joinRef, ...rest }) => ({ joinRef, ...rest, payload: rest.payload }))

/** The serializer for what a client says it speaks in `vsn`, or null for one we do not know. */
export function serializerOf(version: string | null): Serializer | null {
  if (version === null || version.startsWith('1.')) return 'object'
  return version.startsWith('2.') ? 'array' : null
}

/** The frame in a text, or null when it is none. */
export function decodeFrame(serializer: Serializer, text: string): Frame | null {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return null
  }
  return (serializer === 'array' ? arrayFrame : objectFrame).safeParse(value).data ?? null
}

export function encodeFrame(serializer: Serializer, frame: Frame): string {
  const { joinRef, ref: reference, topic, event, payload } = frame
  return serializer === 'array'
    ? JSON.stringify([joinRef, reference, topic, event, payload])
    : JSON.stringify({ topic, event, payload, ref: reference, join_ref: joinRef })
}

/** The event of a subscription, with a result that is JSON already: one result goes out to many. */
export function encodeSubscriptionData(serializer: Serializer, subscriptionId: string, resultJson: string): string {
  const id = JSON.stringify(subscriptionId)
  const payload = `{"result":${resultJson},"subscriptionId":${id}}`
  return serializer === 'array'
    ? `[null,null,${id},"subscription:data",${payload}]`
    : `{"topic":${id},"event":"subscription:data","payload":${payload},"ref":null}`
}
