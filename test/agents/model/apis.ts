// How four model APIs stream a reply: OpenAI chat completions and responses, Anthropic messages, Gemini generateContent. Shapes only.
import type { ServerResponse } from 'node:http';
import type { ToolCall } from './tools.ts';

export type ApiName = 'chat' | 'responses' | 'anthropic' | 'gemini';

/** One streamed reply. `id` makes new ids; the API's own bookkeeping lives in its writer. */
export interface Streaming {
  response: ServerResponse;
  model: string;
  calls: ToolCall[];
  id(prefix: string): string;
}

/** Writes one reply; called in the order open, text…, tool…, close. */
export interface ReplyWriter {
  open(): void;
  text(piece: string): void;
  tool(call: ToolCall, index: number): void;
  close(): void;
}

export interface Api {
  writer(s: Streaming): ReplyWriter;
  /** The same reply in one piece. */
  plain(s: Streaming, text: string): unknown;
  error(status: number, message: string): unknown;
}

const CHAT_USAGE = { prompt_tokens: 900, completion_tokens: 80, total_tokens: 980 };
const RESPONSES_USAGE = {
  input_tokens: 900,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: 80,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 980,
};
const ANTHROPIC_USAGE = { input_tokens: 900, output_tokens: 80, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 };
const GEMINI_USAGE = { promptTokenCount: 900, candidatesTokenCount: 80, totalTokenCount: 980 };

function sendEvent(response: ServerResponse, value: unknown, event?: string): void {
  response.write(`${event ? `event: ${event}\n` : ''}data: ${typeof value === 'string' ? value : JSON.stringify(value)}\n\n`);
}

const argumentsOf = (call: ToolCall): string => ('args' in call ? JSON.stringify(call.args) : call.input);

const chat: Api = {
  writer(s) {
    const id = s.id('chatcmpl');
    const base = { id, object: 'chat.completion.chunk', created: 1, model: s.model };
    const chunk = (delta: unknown, finish: string | null = null): void =>
      sendEvent(s.response, { ...base, choices: [{ index: 0, delta, finish_reason: finish }] });
    return {
      open: () => chunk({ role: 'assistant', content: '' }),
      text: (piece) => chunk({ content: piece }),
      tool: (call, index) =>
        chunk({ tool_calls: [{ index, id: s.id('call'), type: 'function', function: { name: call.name, arguments: argumentsOf(call) } }] }),
      close: () => {
        chunk({}, s.calls.length ? 'tool_calls' : 'stop');
        sendEvent(s.response, { ...base, choices: [], usage: CHAT_USAGE });
        sendEvent(s.response, '[DONE]');
      },
    };
  },
  plain: (s, text) => ({
    id: s.id('chatcmpl'),
    object: 'chat.completion',
    created: 1,
    model: s.model,
    usage: CHAT_USAGE,
    choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: text } }],
  }),
  error: (status, message) => {
    const limited = status === 429;
    return { error: { message, type: limited ? 'rate_limit_exceeded' : 'server_error', code: limited ? 'rate_limit_exceeded' : null } };
  },
};

const responses: Api = {
  writer(s) {
    const id = s.id('resp');
    const output: unknown[] = [];
    let sequence = 0;
    let message: { id: string; text: string } | null = null;
    const emit = (type: string, rest: object): void => sendEvent(s.response, { type, sequence_number: ++sequence, ...rest }, type);
    const item = (m: { id: string }, status: string, content: unknown[]): object => ({
      id: m.id,
      type: 'message',
      role: 'assistant',
      status,
      content,
    });
    const endText = (): void => {
      if (!message) return;
      const part = { type: 'output_text', text: message.text, annotations: [] };
      const at = { item_id: message.id, output_index: 0, content_index: 0 };
      emit('response.output_text.done', { ...at, text: message.text });
      emit('response.content_part.done', { ...at, part });
      const whole = item(message, 'completed', [part]);
      output.push(whole);
      message = null;
      emit('response.output_item.done', { output_index: 0, item: whole });
    };
    return {
      open: () => emit('response.created', { response: { id, object: 'response', status: 'in_progress', model: s.model, output: [] } }),
      text: (piece) => {
        if (!message) {
          message = { id: s.id('msg'), text: '' };
          emit('response.output_item.added', { output_index: 0, item: item(message, 'in_progress', []) });
          emit('response.content_part.added', {
            item_id: message.id,
            output_index: 0,
            content_index: 0,
            part: { type: 'output_text', text: '', annotations: [] },
          });
        }
        message.text += piece;
        emit('response.output_text.delta', { item_id: message.id, output_index: 0, content_index: 0, delta: piece });
      },
      tool: (call) => {
        endText();
        const index = output.length;
        const custom = 'input' in call;
        const whole = {
          id: s.id(custom ? 'ctc' : 'fc'),
          type: custom ? 'custom_tool_call' : 'function_call',
          status: 'completed',
          call_id: s.id('call'),
          name: call.name,
          ...(custom ? { input: call.input } : { arguments: argumentsOf(call) }),
        };
        emit('response.output_item.added', {
          output_index: index,
          item: { ...whole, status: 'in_progress', ...(custom ? { input: '' } : { arguments: '' }) },
        });
        if (!custom) {
          emit('response.function_call_arguments.delta', { item_id: whole.id, output_index: index, delta: argumentsOf(call) });
          emit('response.function_call_arguments.done', { item_id: whole.id, output_index: index, arguments: argumentsOf(call) });
        }
        emit('response.output_item.done', { output_index: index, item: whole });
        output.push(whole);
      },
      close: () => {
        endText();
        emit('response.completed', {
          response: { id, object: 'response', status: 'completed', model: s.model, output, usage: RESPONSES_USAGE },
        });
      },
    };
  },
  plain: (s, text) => ({
    id: s.id('resp'),
    object: 'response',
    status: 'completed',
    model: s.model,
    usage: RESPONSES_USAGE,
    output: [
      {
        id: s.id('msg'),
        type: 'message',
        role: 'assistant',
        status: 'completed',
        content: [{ type: 'output_text', text, annotations: [] }],
      },
    ],
  }),
  error: chat.error,
};

const anthropic: Api = {
  writer(s) {
    let index = -1;
    let inText = false;
    const emit = (type: string, rest: object): void => sendEvent(s.response, { type, ...rest }, type);
    const endText = (): void => {
      if (inText) emit('content_block_stop', { index });
      inText = false;
    };
    return {
      open: () =>
        emit('message_start', {
          message: {
            id: s.id('msg'),
            type: 'message',
            role: 'assistant',
            model: s.model,
            content: [],
            stop_reason: null,
            stop_sequence: null,
            usage: { ...ANTHROPIC_USAGE, output_tokens: 1 },
          },
        }),
      text: (piece) => {
        if (!inText) emit('content_block_start', { index: ++index, content_block: { type: 'text', text: '' } });
        inText = true;
        emit('content_block_delta', { index, delta: { type: 'text_delta', text: piece } });
      },
      tool: (call) => {
        endText();
        emit('content_block_start', { index: ++index, content_block: { type: 'tool_use', id: s.id('toolu'), name: call.name, input: {} } });
        emit('content_block_delta', { index, delta: { type: 'input_json_delta', partial_json: argumentsOf(call) } });
        emit('content_block_stop', { index });
      },
      close: () => {
        endText();
        emit('message_delta', {
          delta: { stop_reason: s.calls.length ? 'tool_use' : 'end_turn', stop_sequence: null },
          usage: { output_tokens: ANTHROPIC_USAGE.output_tokens },
        });
        emit('message_stop', {});
      },
    };
  },
  plain: (s, text) => ({
    id: s.id('msg'),
    type: 'message',
    role: 'assistant',
    model: s.model,
    content: [{ type: 'text', text }],
    stop_reason: 'end_turn',
    stop_sequence: null,
    usage: ANTHROPIC_USAGE,
  }),
  error: (status, message) => {
    const names: Record<number, string> = { 429: 'rate_limit_error', 529: 'overloaded_error' };
    return { type: 'error', error: { type: names[status] ?? 'api_error', message } };
  },
};

const gemini: Api = {
  writer(s) {
    const id = s.id('g');
    const part = (parts: unknown[], finish?: string): void =>
      sendEvent(s.response, {
        candidates: [{ index: 0, content: { role: 'model', parts }, ...(finish ? { finishReason: finish } : {}) }],
        usageMetadata: GEMINI_USAGE,
        modelVersion: s.model,
        responseId: id,
      });
    return {
      open: () => {},
      text: (piece) => part([{ text: piece }]),
      tool: (call) =>
        part([{ functionCall: { id: s.id('fc'), name: call.name, args: 'args' in call ? call.args : { input: call.input } } }]),
      close: () => part([{ text: '' }], 'STOP'),
    };
  },
  plain: (s, text) => ({
    candidates: [{ index: 0, content: { role: 'model', parts: [{ text }] }, finishReason: 'STOP' }],
    usageMetadata: GEMINI_USAGE,
    modelVersion: s.model,
  }),
  error: (status, message) => ({ error: { code: status, message, status: status === 429 ? 'RESOURCE_EXHAUSTED' : 'INTERNAL' } }),
};

export const APIS: Record<ApiName, Api> = { chat, responses, anthropic, gemini };

/** Which API a path belongs to; null for others. */
export function apiOf(path: string): ApiName | null {
  if (/\/chat\/completions$/.test(path)) return 'chat';
  if (/\/responses$/.test(path)) return 'responses';
  if (/\/messages$/.test(path)) return 'anthropic';
  if (/:(stream)?generateContent$/i.test(path)) return 'gemini';
  return null;
}
