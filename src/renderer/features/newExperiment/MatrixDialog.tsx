import { useState } from 'react';
import type { BackendChoice } from '../../../shared/api/engine.ts';
import { Button } from '../../ui/Button.tsx';
import { Checkbox } from '../../ui/Checkbox.tsx';
import { DataTable } from '../../ui/DataTable.tsx';
import { HiddenText, Isolated } from '../../ui/HiddenText.tsx';
import { ModalDialog } from '../../ui/ModalDialog.tsx';
import { quantity } from '../../ui/quantity.ts';
import { TagsField } from '../../ui/TagsField.tsx';
import { type CasesOfKind, protocolChoices } from '../protocols/acceptance.ts';
import { modelsAt, type Preferred } from '../protocols/backends.ts';
import { useFound } from '../protocols/useBackends.ts';
import styles from './NewExperiment.module.css';

interface Cell {
  readonly protocol: string;
  readonly model: string;
}

const toggled = (values: readonly string[], value: string): string[] =>
  values.includes(value) ? values.filter((each) => each !== value) : [...values, value];

const keyOf = ({ protocol, model }: Cell) => JSON.stringify([protocol, model]);

export function MatrixDialog({
  cases,
  backend,
  preferred,
  onMake,
  onClose,
}: {
  cases: CasesOfKind;
  backend: BackendChoice;
  preferred: Pick<Preferred, 'server' | 'model'>;
  onMake: (cells: readonly Cell[]) => void;
  onClose: () => void;
}) {
  const listed = modelsAt(useFound(), backend, preferred.server);
  const choices = protocolChoices(cases).filter(({ disabled }) => disabled !== true);
  const [protocols, setProtocols] = useState<readonly string[]>([]);
  const [models, setModels] = useState<readonly string[]>([preferred.model]);
  const [without, setWithout] = useState<readonly string[]>([]);
  const rows = choices.filter(({ id }) => protocols.includes(id));
  const cells = rows.flatMap(({ id }) => models.map((model): Cell => ({ protocol: id, model })));
  const chosen = cells.filter((cell) => !without.includes(keyOf(cell)));
  return (
    <ModalDialog
      title="Arms from models and protocols"
      onClose={onClose}
      cancel="Cancel"
      actions={
        <Button look="primary" isDisabled={chosen.length === 0} onPress={() => onMake(chosen)}>
          {chosen.length === 0 ? 'Make the arms' : `Make ${quantity(chosen.length, 'arm')}`}
        </Button>
      }
    >
      <fieldset className={`unframed ${styles.matrixChoices}`}>
        <legend className="font-600">Protocols</legend>
        {choices.map(({ id, label }) => (
          <Checkbox key={id} isSelected={protocols.includes(id)} onChange={() => setProtocols(toggled(protocols, id))}>
            {label}
          </Checkbox>
        ))}
      </fieldset>
      {listed.length === 0 ? null : (
        <fieldset className={`unframed ${styles.matrixChoices}`}>
          <legend className="font-600">{backend === 'standin' ? 'Names for the demo model' : 'Models of the server'}</legend>
          {listed.map((model) => (
            <Checkbox key={model} isSelected={models.includes(model)} onChange={() => setModels(toggled(models, model))}>
              <HiddenText text={model} />
            </Checkbox>
          ))}
        </fieldset>
      )}
      <TagsField
        label="Further models"
        noun="model"
        placeholder="qwen2.5:7b"
        values={models.filter((model) => !listed.includes(model))}
        onAdd={(model) => setModels([...models, model])}
        onRemove={(model) => setModels(toggled(models, model))}
      />
      {cells.length === 0 ? (
        <p className="quiet">Choose protocols and models: each pair becomes an arm.</p>
      ) : (
        <DataTable
          label="Arms to make"
          caption="Untick a pair to leave it out."
          close
          rows={rows}
          keyOf={({ id }) => id}
          columns={[
            { title: 'protocol', cell: ({ label }) => label },
            ...models.map((model) => ({
              id: model,
              name: model,
              title: <Isolated text={model} />,
              cell: ({ id, label }: (typeof rows)[number]) => {
                const key = keyOf({ protocol: id, model });
                return (
                  <Checkbox isSelected={!without.includes(key)} onChange={() => setWithout(toggled(without, key))}>
                    <span className="visually-hidden">
                      {label} with <Isolated text={model} />
                    </span>
                  </Checkbox>
                );
              },
            })),
          ]}
        />
      )}
    </ModalDialog>
  );
}
