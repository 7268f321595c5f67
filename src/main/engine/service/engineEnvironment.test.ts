import { expect, test } from 'vitest';
import { engineEnvironment } from './engineEnvironment.ts';

test('security 18: an engine gets what it reads and the keys of model servers, and nothing else of the environment', () => {
  const system = {
    Path: '/bin',
    HOME: '/h',
    LOCALAPPDATA: 'l',
    'ProgramFiles(x86)': 'p',
    SystemRoot: 's',
    LC_ALL: 'C',
    TZ: 'UTC',
  };
  const models = {
    XDG_CONFIG_HOME: '/c',
    ASSIZE_STORE: 's',
    OLLAMA_HOST: 'o',
    CUDA_VISIBLE_DEVICES: '0',
    HSA_OVERRIDE_GFX_VERSION: '1',
  };
  const keys = { VLLM_API_KEY: 'k', gpu_key: 'k', HF_TOKEN: 'k' };
  const options = {
    NODE_OPTIONS: '--inspect',
    NODE_CHANNEL_FD: '3',
    ELECTRON_RUN_AS_NODE: '1',
    LD_PRELOAD: 'x.so',
    NODE_PATH: '/',
  };
  const proxies = { HTTPS_PROXY: 'p', http_proxy: 'p', ALL_PROXY: 'p', NODE_USE_ENV_PROXY: '1' };
  const secrets = {
    AWS_SECRET_ACCESS_KEY: 's',
    GITHUB_TOKEN: 's',
    SSH_AUTH_SOCK: 's',
    PGPASSWORD: 's',
    DATABASE_URL: 's',
    MY_PATH: 's',
  };
  const kept = { ...system, ...models, ...keys };
  expect(engineEnvironment({ ...options, ...kept, ...proxies, ...secrets })).toEqual({
    ...kept,
    MALLOC_TRIM_THRESHOLD_: '131072',
    MALLOC_MMAP_THRESHOLD_: '65536',
  });
});
