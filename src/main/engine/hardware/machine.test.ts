import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { totalmem } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { keptFolder } from '../testing/kept.ts';
import { openMachine, readMemory } from './machine.ts';
import { nvidiaArguments, readAmd, readProcessor, type SystemLibrary } from './readers.ts';
import { type RunTool, runTool, type ToolResult } from './reading.ts';

const fixture = (name: string) => readFileSync(join(import.meta.dirname, 'fixtures', `${name}.txt`), 'utf8');
const gibibyte = 1024 ** 3;

/** A folder in place of the root of a file system. */
function rootWith(files: Readonly<Record<string, string | Uint8Array>>): string {
  const root = keptFolder();
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
  return root;
}

/** A tool of the given name, as a shell script. */
function script(name: string, body: string): string {
  const root = rootWith({ [name]: `#!/bin/sh\n${body}\n` });
  chmodSync(join(root, name), 0o755);
  return join(root, name);
}

const card = (number: number, files: Readonly<Record<string, string | Uint8Array>>) =>
  Object.fromEntries(Object.entries(files).map(([name, content]) => [`sys/class/drm/card${number}/device/${name}`, content]));

const radeon = {
  vendor: '0x1002\n',
  device: '0x744c\n',
  uevent: 'DRIVER=amdgpu\nPCI_SLOT_NAME=0000:03:00.0\n',
  mem_info_vram_total: `${24 * gibibyte}\n`,
  mem_info_vram_used: `${3 * gibibyte}\n`,
  mem_info_gtt_total: `${16 * gibibyte}\n`,
  mem_info_gtt_used: '1\n',
  gpu_busy_percent: '42\n',
  gpu_metrics: Uint8Array.of(120, 0, 1, 3),
  'hwmon/hwmon4/temp1_input': '56000\n',
  'hwmon/hwmon4/power1_average': '181000000\n',
};

test('an AMD card under Linux is read from the driver’s files', () => {
  const root = rootWith({
    ...card(0, { vendor: '0x10de\n' }),
    ...card(1, radeon),
    'sys/class/drm/card1-DP-1/status': 'connected',
  });
  expect(readAmd(join(root, 'sys'))).toMatchObject({
    state: 'reported',
    gpus: [
      {
        id: 'amd-0000:03:00.0',
        vendor: 'amd',
        name: 'AMD GPU (device 0x744c)',
        memory_total: 24 * gibibyte,
        memory_used: 3 * gibibyte,
        utilisation: 0.42,
        temperature: 56,
        power: 181,
        unified: false,
        source: 'sysfs',
      },
    ],
  });
});

test('graphics inside an AMD processor count the part of main memory that they may take', () => {
  const files = { ...radeon, mem_info_vram_total: `${gibibyte / 2}`, mem_info_vram_used: '100', mem_info_gtt_used: '200' };
  const inside = rootWith(card(0, { ...files, gpu_metrics: Uint8Array.of(1, 0, 2, 1), product_name: 'Phoenix' }));
  const { gpu_metrics: _, ...without } = files;
  const older = rootWith(card(0, without));
  for (const root of [inside, older]) {
    expect(readAmd(join(root, 'sys')).gpus).toMatchObject([{ memory_total: 16.5 * gibibyte, memory_used: 300, unified: true }]);
  }
  expect(readAmd(join(inside, 'sys')).gpus[0]?.name).toBe('Phoenix');
});

test('files of a driver without numbers give unknown figures, and a card without memory is skipped', () => {
  const odd = { ...radeon, gpu_busy_percent: 'N/A', mem_info_vram_used: '', 'hwmon/hwmon4/temp1_input': '?' };
  expect(readAmd(join(rootWith(card(0, odd)), 'sys')).gpus).toMatchObject([
    { memory_used: null, utilisation: null, temperature: null },
  ]);
  expect(readAmd(join(rootWith(card(0, { vendor: '0x1002' })), 'sys')).state).toBe('absent');
  expect(readAmd('/nowhere').state).toBe('absent');
});

test('free memory in a container is the rest of its limit, with the cache that gives way', async () => {
  const root = rootWith({
    'proc/self/cgroup': '0::/jobs/one\n',
    'sys/fs/cgroup/jobs/one/memory.stat': `anon 5\ninactive_file ${2 * gibibyte}\n`,
  });
  const elsewhere = rootWith({
    'proc/self/cgroup': '0::/docker/not-mounted-here\n',
    'sys/fs/cgroup/memory.stat': `inactive_file ${2 * gibibyte}\n`,
  });
  const source = (limit: number) => ({
    totalmem: () => 32 * gibibyte,
    freemem: () => 20 * gibibyte,
    constrainedMemory: () => limit,
    availableMemory: () => 2 * gibibyte,
  });
  const read = (limit: number, at: string) => readMemory('linux', undefined, { root: at, source: source(limit) });
  const limited = { total: 8 * gibibyte, free: 4 * gibibyte, limited: true };
  expect(await read(8 * gibibyte, root)).toEqual(limited);
  expect(await read(8 * gibibyte, elsewhere)).toEqual(limited);
  for (const none of [0, 2 ** 63]) {
    expect(await read(none, root)).toEqual({ total: 32 * gibibyte, free: 20 * gibibyte, limited: false });
  }
});

/** A runner that knows some programs and finds no other. */
const tools =
  (known: Readonly<Record<string, ToolResult>>, asked: string[] = []): RunTool =>
  async (program) => {
    asked.push(program);
    return known[program] ?? { ended: 'missing' };
  };

test('a machine without a GPU reports none, and does not look for the tool again and again', async () => {
  const asked: string[] = [];
  const machine = openMachine({
    platform: 'linux',
    run: tools({}, asked),
    root: rootWith({}),
  });
  const first = await machine.reading();
  expect(first).toMatchObject({ gpus: [], notes: [], unsure: false, driverTrouble: false });
  await machine.reading();
  expect(asked).toEqual(['nvidia-smi']);
  const { hardware } = await machine.hardware();
  expect(hardware).toMatchObject({ platform: 'linux', gpus: [] });
  expect(hardware.cores).toBeGreaterThan(0);
});

test('an NVIDIA card on the bus without its driver is pointed out, once', async () => {
  const root = rootWith({
    'sys/bus/pci/devices/0000:01:00.0/vendor': '0x10de\n',
    'sys/bus/pci/devices/0000:01:00.0/class': '0x030000\n',
    'sys/bus/pci/devices/0000:01:00.1/vendor': '0x10de\n',
    'sys/bus/pci/devices/0000:01:00.1/class': '0x040300\n',
  });
  const missing = await openMachine({ platform: 'linux', run: tools({}), root }).reading();
  expect(missing.driverTrouble).toBe(true);
  expect(missing.notes).toEqual([expect.stringContaining('install the NVIDIA driver')]);
  const broken = tools({ 'nvidia-smi': { ended: 'badly', code: 9, output: fixture('nvidia-smi-no-driver') } });
  const reported = await openMachine({ platform: 'linux', run: broken, root }).reading();
  expect(reported).toMatchObject({ driverTrouble: true, notes: [expect.stringContaining('cannot reach the NVIDIA driver')] });
  const there = tools({ 'nvidia-smi': { ended: 'well', output: fixture('nvidia-smi-one') } });
  expect(await openMachine({ platform: 'linux', run: there, root }).reading()).toMatchObject({ driverTrouble: false, notes: [] });
});

test('a tool that fails leaves the reading unsure; a GPU that our own Ollama did not take is reported', async () => {
  const hung = openMachine({ platform: 'linux', run: tools({ 'nvidia-smi': { ended: 'timeout' } }), root: rootWith({}) });
  expect(await hung.reading()).toMatchObject({ unsure: true, notes: ['nvidia-smi did not answer in time.'] });
  const output = fixture('nvidia-smi-one');
  const idle = openMachine({
    platform: 'linux',
    run: tools({ 'nvidia-smi': { ended: 'well', output } }),
    root: rootWith({}),
    ollamaLog: () => fixture('ollama-log-processor').split('\n'),
  });
  expect((await idle.reading()).notes).toEqual([
    'Ollama itself says that it computes on the processor alone.',
    'NVIDIA GeForce RTX 4090 is there, and Ollama did not take it when it started.',
  ]);
});

type Controllers = Awaited<ReturnType<SystemLibrary['graphics']>>['controllers'];

/** A library that lists GPUs, counts how often it was asked for them, and fails where there is none. */
function library(controllers: Partial<Controllers[number]>[] | null, asked: string[] = []): Promise<SystemLibrary> {
  const usual = { vendor: '', model: '', bus: '', vram: null, vramDynamic: false };
  return Promise.resolve({
    cpu: async () => ({ manufacturer: 'ARM', brand: 'Cortex-A76' }),
    mem: async () => ({ available: 5 * gibibyte }),
    async graphics() {
      asked.push('graphics');
      if (controllers === null) throw new Error('no such tool');
      return { controllers: controllers.map((controller) => ({ ...usual, ...controller })) };
    },
  });
}

test('on macOS the library is asked once for GPUs, and again only after it failed; memory is what it calls available', async () => {
  const asked: string[] = [];
  const apple = { vendor: 'Apple', model: 'Apple M2 Pro', bus: 'Built-In', vramDynamic: true, cores: 19 };
  const radeon = { vendor: 'AMD', model: 'Radeon Pro 5500M', bus: 'PCIe', vram: 8192 };
  const machine = openMachine({ platform: 'darwin', run: tools({}), library: library([apple, radeon], asked) });
  await machine.reading();
  const { gpus, memory } = await machine.reading();
  expect(gpus).toMatchObject([
    {
      vendor: 'apple',
      name: 'Apple M2 Pro (19 cores)',
      unified: true,
      memory_total: totalmem(),
      memory_used: null,
      source: 'system_profiler',
    },
    { vendor: 'amd', unified: false, memory_total: 8 * gibibyte },
  ]);
  expect(memory.free).toBe(Math.min(totalmem(), 5 * gibibyte));
  expect(asked).toHaveLength(1);
  const again: string[] = [];
  const failing = openMachine({ platform: 'darwin', run: tools({}), library: library(null, again) });
  expect(await failing.reading()).toMatchObject({ unsure: true, gpus: [] });
  await failing.reading();
  expect(again).toHaveLength(2);
});

test('on Windows an AMD card is listed with the memory of Ollama’s log; with an nvidia-smi that hangs the library is not asked', async () => {
  const asked: string[] = [];
  const cards = [
    { vendor: 'Advanced Micro Devices, Inc.', model: 'AMD Radeon RX 7900 XTX', vram: 4095 },
    { vendor: 'NVIDIA', model: 'NVIDIA GeForce RTX 4090', vram: 24_564 },
  ];
  const log = 'msg="inference compute" id=0 library=ROCm name="AMD Radeon RX 7900 XTX" total="24.0 GiB" available="23.0 GiB"';
  const machine = (smi: ToolResult) =>
    openMachine({
      platform: 'win32',
      environment: { SystemRoot: 'C:\\W' },
      run: tools({ 'C:\\W\\System32\\nvidia-smi.exe': smi }),
      library: library(cards, asked),
      ollamaLog: () => [log],
    });
  expect((await machine({ ended: 'timeout' }).reading()).unsure).toBe(true);
  expect(asked).toEqual([]);
  const { gpus } = await machine({ ended: 'missing' }).reading();
  expect(gpus).toMatchObject([{ vendor: 'amd', memory_total: 24 * gibibyte, source: 'systeminformation' }]);
});

test('the real library names processor and memory, and one that fails costs no reading', async () => {
  expect((await readProcessor()).name).not.toMatch(/^unnamed/);
  const { total, free } = await readMemory('darwin', Promise.reject(new Error('not installed')));
  expect(free).toBeGreaterThan(0);
  expect(free).toBeLessThanOrEqual(total);
});

test('a real program is run in the C locale, with its arguments as they are and nothing else of the environment', async () => {
  const program = script('nvidia-smi', 'echo "$LC_ALL|$ASSIZE_SECRET|$1"');
  process.env.ASSIZE_SECRET = 'kept';
  try {
    expect(await runTool(program, ['$(id); *'])).toEqual({ ended: 'well', output: 'C||$(id); *\n' });
  } finally {
    delete process.env.ASSIZE_SECRET;
  }
});

test('a query that was abandoned is not started a second time before it has ended', async () => {
  const hung = script('hung', 'echo begun >> "$0.begun"; exec sleep 600');
  const begun = () => readFileSync(`${hung}.begun`, 'utf8');
  const limits = { milliseconds: 1000, bytes: 1000 };
  expect(await runTool(hung, [], limits)).toEqual({ ended: 'timeout' });
  // No process ends within the turn in which it is killed, and one that its driver holds does not end at all.
  expect(await runTool(hung, [], limits)).toEqual({ ended: 'timeout' });
  expect(begun()).toBe('begun\n');
  await vi.waitFor(
    async () => expect([await runTool(hung, [], limits), begun()]).toEqual([{ ended: 'timeout' }, 'begun\nbegun\n']),
    20_000,
  );
});

test('a real program that is missing, fails, hangs or never stops writing is a result and no exception', async () => {
  expect(await runTool('/nowhere/nvidia-smi', [])).toEqual({ ended: 'missing' });
  expect(await runTool(script('fails', 'echo out; echo err >&2; exit 9'), [])).toEqual({
    ended: 'badly',
    code: 9,
    output: 'out\nerr\n',
  });
  expect(await runTool(script('hangs', 'exec sleep 600'), [], { milliseconds: 100, bytes: 1000 })).toEqual({ ended: 'timeout' });
  expect(await runTool(script('babbles', 'exec yes'), [], { milliseconds: 60_000, bytes: 1000 })).toEqual({ ended: 'too-long' });
});

test('a whole machine is read through a real nvidia-smi in the path', async () => {
  const program = script('nvidia-smi', `[ "$1" = "${nvidiaArguments[0]}" ] && cat <<'END'\n${fixture('nvidia-smi-several')}END`);
  const run: RunTool = (_, args) => runTool(program, args);
  const { hardware } = await openMachine({ platform: 'linux', run, root: rootWith({}) }).hardware();
  expect(hardware.gpus.map(({ name }) => name)).toEqual(['NVIDIA A40', 'NVIDIA A40', 'NVIDIA RTX A2000, 12GB']);
});
