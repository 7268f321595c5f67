import { join } from 'node:path';
import { namesIn, textOf } from './files.ts';

const vendors: Readonly<Record<string, 'nvidia' | 'amd' | 'intel'>> = { '0x10de': 'nvidia', '0x1002': 'amd', '0x8086': 'intel' };

/**
 * Makers of the display and compute cards on the PCI bus of a Linux machine, with or without a driver.
 * @param root in place of /sys
 */
export function pciCards(root = '/sys'): ('nvidia' | 'amd' | 'intel')[] {
  const devices = join(root, 'bus/pci/devices');
  return namesIn(devices).flatMap((name) => {
    // Display controllers (03) and processing accelerators (12), PCI Code and ID Assignment Specification.
    const display = /^0x(03|12)/.test(textOf(join(devices, name, 'class')) ?? '');
    const vendor = vendors[textOf(join(devices, name, 'vendor')) ?? ''];
    return display && vendor !== undefined ? [vendor] : [];
  });
}
