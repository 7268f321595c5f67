import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { readAmd } from './amdSysfs.ts';
import { openMachine } from './machine.ts';
import { linuxMemory, parseVmStat, readMemory } from './memory.ts';
import { nvidiaArguments } from './nvidiaSmi.ts';
import { busyShare, processorTimes } from './processor.ts';
import { type RunTool, runTool, type ToolResult } from './tool.ts';

const fixture = (name: string) => readFileSync(join(import.meta.dirname, 'fixtures', `${name}.txt`), 'utf8');
const gibibyte = 1024 ** 3;

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** A folder that stands for the root of a file system. */
function rootWith(files: Readonly<Record<string, string | Uint8Array>>): string {
  const root = mkdtempSync(join(tmpdir(), 'assize-machine-'));
  folders.push(root);
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
    state: 'told',
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

test('files of a driver that hold no numbers are figures that are not known, and a card without memory is none', () => {
  const odd = { ...radeon, gpu_busy_percent: 'N/A', mem_info_vram_used: '', 'hwmon/hwmon4/temp1_input': '?' };
  expect(readAmd(join(rootWith(card(0, odd)), 'sys')).gpus).toMatchObject([
    { memory_used: null, utilisation: null, temperature: null },
  ]);
  expect(readAmd(join(rootWith(card(0, { vendor: '0x1002' })), 'sys')).state).toBe('absent');
  expect(readAmd('/nowhere').state).toBe('absent');
});

test('memory on Linux is what is available, not what is free, within the limit of a container', () => {
  const meminfo = { 'proc/meminfo': fixture('meminfo') };
  expect(linuxMemory(rootWith(meminfo))).toEqual({ total: 32_768_000 * 1024, free: 20_971_520 * 1024, limited: false });
  const two = rootWith({
    ...meminfo,
    'proc/self/cgroup': '0::/jobs/one\n',
    'sys/fs/cgroup/jobs/one/memory.max': 'max\n',
    'sys/fs/cgroup/jobs/one/memory.current': '1\n',
    'sys/fs/cgroup/jobs/memory.max': `${8 * gibibyte}\n`,
    'sys/fs/cgroup/jobs/memory.current': `${6 * gibibyte}\n`,
    'sys/fs/cgroup/jobs/memory.stat': `anon 5\ninactive_file ${2 * gibibyte}\n`,
  });
  expect(linuxMemory(two)).toEqual({ total: 8 * gibibyte, free: 4 * gibibyte, limited: true });
  const one = rootWith({
    ...meminfo,
    'proc/self/cgroup': '5:cpu,memory:/docker/not-mounted-here\n',
    'sys/fs/cgroup/memory/memory.limit_in_bytes': `${4 * gibibyte}`,
    'sys/fs/cgroup/memory/memory.usage_in_bytes': `${3 * gibibyte}`,
    'sys/fs/cgroup/memory/memory.stat': `inactive_file 7\ntotal_inactive_file ${gibibyte}`,
  });
  expect(linuxMemory(one)).toEqual({ total: 4 * gibibyte, free: 2 * gibibyte, limited: true });
  const unlimited = rootWith({
    ...meminfo,
    'sys/fs/cgroup/memory/memory.limit_in_bytes': '9223372036854771712',
    'sys/fs/cgroup/memory/memory.usage_in_bytes': '5',
  });
  expect(linuxMemory(unlimited).limited).toBe(false);
});

test('memory on macOS counts what is inactive, and garbage of vm_stat falls back on what the system tells', async () => {
  expect(parseVmStat(fixture('vm_stat'))).toBe((10_240 + 491_520 + 8192) * 16_384);
  expect(parseVmStat('Pages free: 1.')).toBeNull();
  const { total, free } = await readMemory('darwin', async () => ({ ended: 'well', output: 'nothing of the kind' }));
  expect(free).toBeGreaterThan(0);
  expect(free).toBeLessThanOrEqual(total);
});

test('how busy the processor was is taken between two moments', () => {
  expect(busyShare({ busy: 100, all: 1000 }, { busy: 400, all: 2000 })).toBeCloseTo(0.3);
  expect(busyShare({ busy: 1, all: 1 }, { busy: 1, all: 1 })).toBeNull();
  expect(processorTimes([{ model: '', speed: 0, times: { user: 3, nice: 1, sys: 2, idle: 10, irq: 0 } }])).toEqual({
    busy: 6,
    all: 16,
  });
});

/** A runner that knows some programs and finds no other. */
const tools =
  (known: Readonly<Record<string, ToolResult>>, asked: string[] = []): RunTool =>
  async (program) => {
    asked.push(program);
    return known[program] ?? { ended: 'missing' };
  };

test('a machine without a GPU has nothing to tell of any, and does not look for the tool again and again', async () => {
  const asked: string[] = [];
  const machine = openMachine({
    platform: 'linux',
    run: tools({}, asked),
    root: rootWith({ 'proc/meminfo': fixture('meminfo') }),
  });
  const first = await machine.reading();
  expect(first).toMatchObject({ gpus: [], notes: [], unsure: false, driverTrouble: false });
  await machine.reading();
  expect(asked).toEqual(['nvidia-smi']);
  const { hardware } = await machine.hardware();
  expect(hardware).toMatchObject({ platform: 'linux', memory_total: 32_768_000 * 1024, gpus: [] });
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
  const told = await openMachine({ platform: 'linux', run: broken, root }).reading();
  expect(told).toMatchObject({ driverTrouble: true, notes: [expect.stringContaining('cannot reach the NVIDIA driver')] });
  const there = tools({ 'nvidia-smi': { ended: 'well', output: fixture('nvidia-smi-one') } });
  expect(await openMachine({ platform: 'linux', run: there, root }).reading()).toMatchObject({ driverTrouble: false, notes: [] });
});

test('a tool that fails leaves the reading unsure; a GPU that our own Ollama did not take is told', async () => {
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

test('on macOS the slow tool is asked once, and again only after it failed', async () => {
  const asked: string[] = [];
  const profiler = '/usr/sbin/system_profiler';
  const well = tools({ [profiler]: { ended: 'well', output: fixture('profiler-apple') } }, asked);
  const machine = openMachine({ platform: 'darwin', run: well });
  await machine.reading();
  expect((await machine.reading()).gpus).toMatchObject([{ vendor: 'apple' }]);
  expect(asked.filter((program) => program === profiler)).toHaveLength(1);
  const again: string[] = [];
  const failing = openMachine({ platform: 'darwin', run: tools({ [profiler]: { ended: 'timeout' } }, again) });
  await failing.reading();
  await failing.reading();
  expect(again.filter((program) => program === profiler)).toHaveLength(2);
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

test('one that was left alone is not begun beside itself before it has ended', async () => {
  const hung = script('hung', 'echo begun >> "$0.begun"; echo output; exec sleep 600');
  const begun = () => readFileSync(`${hung}.begun`, 'utf8');
  const limits = { milliseconds: 60_000, bytes: 1 };
  expect(await runTool(hung, [], limits)).toEqual({ ended: 'too-long' });
  // No process ends within the turn in which it is killed, and one that its driver holds does not end at all.
  expect(await runTool(hung, [], limits)).toEqual({ ended: 'timeout' });
  expect(begun()).toBe('begun\n');
  await vi.waitFor(async () => expect(await runTool(hung, [], limits)).toEqual({ ended: 'too-long' }), { timeout: 20_000 });
  expect(begun()).toBe('begun\nbegun\n');
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
