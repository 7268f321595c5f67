import { badInput } from '../../../../shared/errors.ts';
import { os } from '../os.ts';

const notYet = badInput('this is not built yet');

export const models = {
  read: os.models.read.handler(() => {
    throw notYet;
  }),
  watch: os.models.watch.handler(() => {
    throw notYet;
  }),
  pull: os.models.pull.handler(() => {
    throw notYet;
  }),
  cancel: os.models.cancel.handler(() => {
    throw notYet;
  }),
  dismiss: os.models.dismiss.handler(() => {
    throw notYet;
  }),
  delete: os.models.delete.handler(() => {
    throw notYet;
  }),
  unload: os.models.unload.handler(() => {
    throw notYet;
  }),
  fits: os.models.fits.handler(() => {
    throw notYet;
  }),
  ensembles: os.models.ensembles.handler(() => {
    throw notYet;
  }),
};
