import { expect, test } from 'vitest';
import { daemonSettingsSchema } from '../../../../shared/api/daemon.ts';
import { daemonEnvironment } from './environment.ts';

const settings = daemonSettingsSchema.parse({});
const start = { port: 4321, mark: 'm' };

test('security 31: the own daemon listens only on loopback and has its cloud features off, in any environment', () => {
  const hostile = {
    OLLAMA_HOST: '0.0.0.0:11434',
    OLLAMA_NO_CLOUD: '0',
    OLLAMA_ORIGINS: '*',
    OLLAMA_REMOTES: 'elsewhere.example',
    OLLAMA_DEBUG: '1',
    OLLAMA_DEBUG_LOG_REQUESTS: '1',
    OLLAMA_SOMETHING_NEW: '1',
    LLAMA_ARG_HOST: '0.0.0.0',
    LLAMA_ARG_CACHE_RAM: '8192',
    LLAMA_API_KEY: 'secret',
    HTTP_PROXY: 'http://proxy.example',
    https_proxy: 'http://proxy.example',
    All_Proxy: 'socks://proxy.example',
    no_proxy: '127.0.0.1',
    ASSIZE_STORE: '/somewhere',
    NODE_OPTIONS: '--inspect',
  };
  expect(daemonEnvironment(hostile, settings, start)).toEqual({
    OLLAMA_HOST: '127.0.0.1:4321',
    OLLAMA_NO_CLOUD: '1',
    OLLAMA_NUM_PARALLEL: '1',
    OLLAMA_KEEP_ALIVE: '30m',
    ASSIZE_DAEMON: 'm',
  });
});

test('what says where models lie and how the machine is used stays', () => {
  const kept = {
    HOME: '/home/user',
    PATH: '/usr/bin',
    LD_LIBRARY_PATH: '/usr/local/cuda/lib64',
    CUDA_VISIBLE_DEVICES: '1',
    OLLAMA_MODELS: '/data/models',
    OLLAMA_FLASH_ATTENTION: '1',
    LLAMA_ARG_FIT: 'off',
  };
  expect(daemonEnvironment({ ...kept, GONE: undefined }, settings, start)).toMatchObject(kept);
  expect(daemonEnvironment({ GONE: undefined }, settings, start)).not.toHaveProperty('GONE');
});

test('slots, models at once and context come from the settings', () => {
  const wanted = { ...settings, parallel: 4, maxLoaded: 2, contextLength: 16_384 };
  const environment = daemonEnvironment({ OLLAMA_NUM_PARALLEL: '9', OLLAMA_CONTEXT_LENGTH: '1' }, wanted, start);
  expect(environment).toMatchObject({
    OLLAMA_NUM_PARALLEL: '4',
    OLLAMA_MAX_LOADED_MODELS: '2',
    OLLAMA_CONTEXT_LENGTH: '16384',
  });
  expect(environment).not.toHaveProperty('LLAMA_ARG_CACHE_RAM');
});

test('reproducible mode has one slot and keeps no prompts, however many slots are set', () => {
  expect(daemonEnvironment({}, { ...settings, parallel: 4, reproducible: true }, start)).toMatchObject({
    OLLAMA_NUM_PARALLEL: '1',
    LLAMA_ARG_CACHE_RAM: '0',
  });
});
