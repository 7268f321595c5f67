import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { mergeGpus, parseOllamaLog } from './machine.ts';
import { nvidiaArguments, nvidiaProgram, parseNvidiaSmi, readNvidiaResult } from './readers.ts';

const text = (name: string) => readFileSync(join(import.meta.dirname, 'fixtures', `${name}.txt`), 'utf8');
const mebibyte = 1024 ** 2;
const gibibyte = 1024 ** 3;

test('one NVIDIA GPU is read with all its figures', () => {
  expect(parseNvidiaSmi(text('nvidia-smi-one'))).toEqual({
    gpus: [
      {
        id: 'GPU-d6de3398-9932-6902-11ec-fee8e424c8a2',
        vendor: 'nvidia',
        name: 'NVIDIA GeForce RTX 4090',
        memory_total: 24_564 * mebibyte,
        memory_used: 9211 * mebibyte,
        utilisation: 0.97,
        temperature: 61,
        power: 287.41,
        driver: '550.90.07',
        unified: false,
        source: 'nvidia-smi',
      },
    ],
    notes: [],
    state: 'reported',
    driverTrouble: false,
  });
});

test('a GPU whose memory is hidden or lost is not taken to share the machine’s', () => {
  const lines = ['[Insufficient Permissions]', '[GPU is lost]', '[Unknown Error]', '[N/A]'].map(
    (memory, index) => `${index}, GPU-${index}, NVIDIA A40, ${memory}, ${memory}, 0, 40, 30, 550.90.07`,
  );
  expect(parseNvidiaSmi(lines.join('\n')).gpus.map(({ unified }) => unified)).toEqual([false, false, false, true]);
});

test('several GPUs, a comma in a name, and missing figures', () => {
  const { gpus, notes } = parseNvidiaSmi(text('nvidia-smi-several'));
  expect(gpus.map(({ name }) => name)).toEqual(['NVIDIA A40', 'NVIDIA A40', 'NVIDIA RTX A2000, 12GB']);
  expect(gpus[2]).toMatchObject({ memory_total: 12_282 * mebibyte, utilisation: null, power: null, driver: '535.183.01' });
  expect(notes).toEqual([]);
});

test('line ends of Windows, a GPU in slices, and one without its own memory', () => {
  expect(parseNvidiaSmi(text('nvidia-smi-windows')).gpus).toMatchObject([{ driver: '531.79', utilisation: 0.03 }]);
  expect(parseNvidiaSmi(text('nvidia-smi-mig')).gpus).toMatchObject([
    { memory_used: 36_537 * mebibyte, utilisation: null, unified: false },
  ]);
  expect(parseNvidiaSmi(text('nvidia-smi-unified')).gpus).toMatchObject([
    { name: 'NVIDIA GB10', memory_total: null, memory_used: null, unified: true },
  ]);
});

test.each([
  [6, 'nvidia-smi-no-devices', 'finds no NVIDIA GPU', true],
  [9, 'nvidia-smi-no-driver', 'cannot reach the NVIDIA driver', true],
  [18, 'nvidia-smi-mismatch', 'restart the machine', true],
])('status %i of nvidia-smi is reported as what is wrong with the driver (%s)', (code, name, words, driverTrouble) => {
  const reading = readNvidiaResult({ ended: 'badly', code, output: text(name) });
  expect(reading).toEqual(readNvidiaResult({ ended: 'well', output: text(name) }));
  expect(reading).toMatchObject({ gpus: [], state: 'reported', driverTrouble });
  expect(reading.notes.join(' ')).toContain(words);
});

test('a GPU that fell off the bus leaves the others and a note', () => {
  const { gpus, notes } = parseNvidiaSmi(text('nvidia-smi-lost'));
  expect(gpus).toHaveLength(1);
  expect(notes).toEqual(['nvidia-smi wrote lines that describe no GPU: 1.']);
});

test('a bad status behind a list of GPUs does not cost the list; whether one is gone is only believed where that is said', () => {
  const lost = readNvidiaResult({ ended: 'badly', code: 15, output: text('nvidia-smi-lost') });
  expect(lost).toMatchObject({
    state: 'reported',
    driverTrouble: false,
    notes: ['nvidia-smi wrote lines that describe no GPU: 1.'],
  });
  expect(lost.gpus.map(({ name }) => name)).toEqual(['NVIDIA A40']);
  const crashed = readNvidiaResult({ ended: 'badly', code: null, output: text('nvidia-smi-one') });
  expect(crashed).toMatchObject({ state: 'failed', notes: ['nvidia-smi ended with status unknown in mid-list.'] });
  expect(crashed.gpus).toHaveLength(1);
});

test.each([
  [{ ended: 'timeout' }, 'nvidia-smi did not answer in time.'],
  [{ ended: 'too-long' }, 'nvidia-smi wrote too much to read.'],
  [{ ended: 'badly', code: 255, output: 'Segmentation fault\nmore' }, 'nvidia-smi ended with status 255: Segmentation fault.'],
  [{ ended: 'badly', code: 2, output: 'Not a valid field.' }, 'nvidia-smi ended with status 2: Not a valid field.'],
  [{ ended: 'well', output: '<html>hello</html>' }, 'nvidia-smi answered with something other than a list of GPUs.'],
  [{ ended: 'well', output: '' }, 'nvidia-smi answered with something other than a list of GPUs.'],
] as const)('%j is a failed reading, which says nothing about GPUs', (result, note) => {
  expect(readNvidiaResult(result)).toEqual({ gpus: [], notes: [note], state: 'failed', driverTrouble: false });
});

test('a missing nvidia-smi is no fault, and on Windows it is not looked for in the current folder', () => {
  expect(readNvidiaResult({ ended: 'missing' })).toMatchObject({ state: 'absent', notes: [] });
  expect(nvidiaProgram('linux', {})).toBe('nvidia-smi');
  expect(nvidiaProgram('win32', { SystemRoot: 'D:\\Win' })).toBe('D:\\Win\\System32\\nvidia-smi.exe');
  expect(nvidiaArguments).toEqual([
    '--query-gpu=index,uuid,name,memory.total,memory.used,utilization.gpu,temperature.gpu,power.draw,driver_version',
    '--format=csv,noheader,nounits',
  ]);
});

const lines = (name: string) => text(name).split('\n');

test('the GPUs of Ollama’s own log, in its older and its newer form', () => {
  expect(parseOllamaLog(lines('ollama-log-cuda')).gpus).toMatchObject([
    {
      id: 'GPU-d6de3398-9932-6902-11ec-fee8e424c8a2',
      vendor: 'nvidia',
      name: 'NVIDIA GeForce RTX 2080 Ti',
      memory_total: 11 * gibibyte,
      driver: '12.1',
    },
  ]);
  expect(parseOllamaLog(lines('ollama-log-described')).gpus).toMatchObject([
    { name: 'NVIDIA A40', vendor: 'nvidia', unified: false },
    { name: 'AMD Radeon "780M" Graphics', vendor: 'amd', unified: true },
  ]);
});

test('of several starts of Ollama the last one counts; "on the processor alone" is reported; without such a line there is no reading', () => {
  const twice = [...lines('ollama-log-cuda'), ...lines('ollama-log-processor')];
  expect(parseOllamaLog(twice)).toMatchObject({
    state: 'reported',
    gpus: [],
    notes: ['Ollama itself says that it computes on the processor alone.'],
  });
  expect(parseOllamaLog([])).toMatchObject({ state: 'absent' });
  expect(parseOllamaLog(['garbage msg="inference', 'msg="inference compute"'])).toMatchObject({ gpus: [] });
});

test('a GPU of the tool and of the log is listed once, with the figures of the tool', () => {
  const tools = parseNvidiaSmi(text('nvidia-smi-several')).gpus;
  const logged = parseOllamaLog(lines('ollama-log-described')).gpus;
  const { gpus, unused } = mergeGpus(tools, logged);
  expect(gpus.map(({ name, source }) => `${name}: ${source}`)).toEqual([
    'NVIDIA A40: nvidia-smi',
    'NVIDIA A40: nvidia-smi',
    'NVIDIA RTX A2000, 12GB: nvidia-smi',
    'AMD Radeon "780M" Graphics: ollama-log',
  ]);
  expect(gpus[0]?.memory_used).toBe(45_102 * mebibyte);
  expect(unused.map(({ id }) => id)).toEqual([tools[1]?.id, tools[2]?.id]);
  expect(mergeGpus(tools, null)).toEqual({ gpus: tools, unused: [] });
});

test('a card that only the driver names by number gets its name from the log', () => {
  const [logged] = parseOllamaLog(lines('ollama-log-described')).gpus.slice(1);
  if (logged === undefined) throw new Error('the log has a second GPU');
  const card = { ...logged, id: 'amd-0000:c5:00.0', name: 'AMD GPU (device 0x15bf)', source: 'sysfs' as const, memory_used: 5 };
  expect(mergeGpus([card], [logged])).toMatchObject({
    gpus: [{ name: 'AMD Radeon "780M" Graphics', source: 'sysfs', memory_used: 5 }],
    unused: [],
  });
});
