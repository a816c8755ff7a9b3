import { ProtocolError } from '@boxyard/protocol'
import type { Area } from '../area.ts'

/** A box holds no key of a model provider, so it has no answers of its own. See SPEC-areas.md. */
export function createAiArea(): Area {
  const refuse = (): never => {
    throw new ProtocolError(
      'AI_NOT_AVAILABLE',
      'AI is off in this box. Whoever runs this Boxyard can turn it on with a model provider in the server configuration; chat then goes through the server.',
    )
  }
  return {
    handlers: {
      'ai/suggestCommit': refuse,
      'ai/raw': refuse,
      'ai/stream': refuse,
      'ai/chats': refuse,
      'ai/chatHistory': refuse,
      'ai/chatMessage': refuse,
      'ai/messageState': refuse,
      'ai/embeddings': refuse,
    },
    dispose: () => Promise.resolve(),
  }
}
