import { badInput } from '../../../../shared/errors.ts';
import { os } from '../os.ts';

const notYet = badInput('this is not built yet');

export const hardware = {
  read: os.hardware.read.handler(() => {
    throw notYet;
  }),
  watch: os.hardware.watch.handler(() => {
    throw notYet;
  }),
};
