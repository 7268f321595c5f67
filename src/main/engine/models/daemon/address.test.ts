import { expect, test } from 'vitest';
import { ollamaAddress, parseOllamaHost } from './answer.ts';

// The expected addresses are those of Ollama 0.33's own tests and source (envconfig.Host, ConnectableHost).
test.each([
  ['127.0.0.1', 'http://127.0.0.1:11434'],
  ['1.2.3.4', 'http://1.2.3.4:11434'],
  ['1.2.3.4:', 'http://1.2.3.4:11434'],
  [':1234', 'http://127.0.0.1:1234'],
  ['1.2.3.4:1234', 'http://1.2.3.4:1234'],
  ['localhost', 'http://localhost:11434'],
  ['example.com', 'http://example.com:11434'],
  ['example.com:1234', 'http://example.com:1234'],
  ['example.com:', 'http://example.com:11434'],
  ['0.0.0.0', 'http://127.0.0.1:11434'],
  ['0.0.0.0:8000', 'http://127.0.0.1:8000'],
  ['0', 'http://127.0.0.1:11434'],
  ['0:8000', 'http://127.0.0.1:8000'],
  ['::', 'http://[::1]:11434'],
  ['[::]', 'http://[::1]:11434'],
  ['[::]:8000', 'http://[::1]:8000'],
  ['[0:0:0:0:0:0:0:0]:8000', 'http://[::1]:8000'],
  ['::1', 'http://[::1]:11434'],
  ['[::1]:1337', 'http://[::1]:1337'],
  ['1.2.3.4:66000', 'http://1.2.3.4:11434'],
  ['1.2.3.4:-1', 'http://1.2.3.4:11434'],
  ['1.2.3.4:port', 'http://1.2.3.4:11434'],
  ['http://1.2.3.4', 'http://1.2.3.4'],
  ['http://1.2.3.4:4321', 'http://1.2.3.4:4321'],
  ['https://1.2.3.4', 'https://1.2.3.4'],
  ['https://example.com:1234/ollama', 'https://example.com:1234/ollama'],
  ['example.com/ollama/', 'http://example.com:11434/ollama'],
  ['https://0.0.0.0', 'https://127.0.0.1'],
  [' "1.2.3.4:5" ', 'http://1.2.3.4:5'],
  ["'0.0.0.0'", 'http://127.0.0.1:11434'],
  ['ollama.com', 'https://ollama.com'],
])('OLLAMA_HOST=%s is %s', (value, url) => {
  expect(parseOllamaHost(value)).toBe(url);
});

test.each(['', '  ', '""', 'ftp://1.2.3.4', 'two words', '11434', 'http://me@1.2.3.4'])(
  'OLLAMA_HOST=%j names no address',
  (value) => {
    expect(parseOllamaHost(value)).toBeNull();
  },
);

test('an address of the settings goes before the variable, and that before the usual one', () => {
  const environment = { OLLAMA_HOST: '0.0.0.0:8000' };
  expect(ollamaAddress('http://127.0.0.1:9999', environment)).toBe('http://127.0.0.1:9999');
  expect(ollamaAddress('http://127.0.0.1:11434', environment)).toBe('http://127.0.0.1:8000');
  expect(ollamaAddress('http://127.0.0.1:11434/', environment)).toBe('http://127.0.0.1:8000');
  expect(ollamaAddress('http://127.0.0.1:11434', {})).toBe('http://127.0.0.1:11434');
  expect(ollamaAddress('http://127.0.0.1:11434', { OLLAMA_HOST: 'two words' })).toBe('http://127.0.0.1:11434');
});
