import { typeError } from '../../python/exception.ts';
import { divide } from '../../python/number.ts';
import {
  asNumber,
  contains,
  getItem,
  isGreater,
  isLess,
  iterate,
  operate,
  setItem,
  sum,
} from '../../python/operate.ts';
import { PythonRandom } from '../../python/random.ts';
import { equal, isNumber, isTrue, type PythonDict, type PythonValue, typeName } from '../../python/value.ts';
import { type Api, attributes, dict, error, method } from './api.ts';
import { floatOf } from './text.ts';

/** A car: its engine, doors, brakes, climate, and the way somewhere. */
export function startVehicle(initial: PythonDict): Api {
  const state = attributes(initial, {
    fuelLevel: 0,
    batteryVoltage: 12.6,
    engineState: 'stopped',
    doorStatus: dict({
      driver: 'unlocked',
      passenger: 'unlocked',
      rear_left: 'unlocked',
      rear_right: 'unlocked',
    }),
    acTemperature: 25,
    fanSpeed: 50n,
    acMode: 'auto',
    humidityLevel: 50,
    headLightStatus: 'off',
    parkingBrakeStatus: 'released',
    brakePedalStatus: 'released',
    distanceToNextVehicle: 50,
    cruiseStatus: 'inactive',
    destination: 'None',
    frontLeftTirePressure: 32,
    frontRightTirePressure: 32,
    rearLeftTirePressure: 30,
    rearRightTirePressure: 30,
  });
  /** What the official object keeps as private, so that no state is compared by it. */
  const unseen = attributes(initial, { parkingBrakeForce: 0, slopeAngle: 0, brakePedalForce: 0 });
  const random = new PythonRandom((initial.get('random_seed') as bigint | undefined) ?? 141053n);
  const get = (name: string): PythonValue => state.get(name)!;
  const doors = () => get('doorStatus') as PythonDict;
  const unlocked = (): string[] =>
    [...doors()].filter(([, status]) => status === 'unlocked').map(([door]) => door);
  const isLocked = (door: string): boolean => doors().get(door) === 'locked';
  state.set('remainingUnlockedDoors', 4n - BigInt([...doors().keys()].filter(isLocked).length));

  function start(mode: PythonValue): PythonDict {
    if (mode === 'STOP') state.set('engineState', 'stopped');
    if (isGreater(get('remainingUnlockedDoors'), 0n))
      return error(
        `All doors must be locked before starting the engine. Here are the unlocked doors: ${unlocked().join(', ')}`,
      );
    if (get('brakePedalStatus') !== 'pressed')
      return error('Brake pedal needs to be pressed when starting the engine.');
    if (!equal(unseen.get('brakePedalForce')!, 1000))
      return error('Must press the brake fully before starting the engine.');
    if (isLess(get('fuelLevel'), 0)) return error('Fuel tank is empty.');
    if (mode !== 'START') return error('Invalid ignition mode.');
    state.set('engineState', 'running');
    return members(state, 'engineState', 'fuelLevel', 'batteryVoltage');
  }

  return {
    state: () => state,
    methods: {
      startEngine: method(['ignitionMode'], (mode = null) => start(mode)),
      fillFuelTank: method(['fuelAmount'], (amount = null) => {
        if (isLess(amount, 0n)) return error('Fuel amount cannot be negative.');
        const filled = operate('+', get('fuelLevel'), amount);
        if (isGreater(filled, 50n)) return error('Cannot fill gas above the tank capacity.');
        if (isLess(filled, 0)) return error('Fuel tank is empty. Min fuel level is 0 gallons.');
        state.set('fuelLevel', filled);
        return members(state, 'fuelLevel');
      }),
      lockDoors: method(['unlock', 'door'], (unlock = null, given = null) => {
        const wanted = isTrue(unlock) ? 'unlocked' : 'locked';
        for (const door of iterate(given)) {
          if (getItem(doors(), door) === wanted) continue;
          setItem(doors(), door as string, wanted);
          const change = wanted === 'unlocked' ? 1n : -1n;
          state.set('remainingUnlockedDoors', operate('+=', get('remainingUnlockedDoors'), change));
        }
        return dict({ lockStatus: wanted, remainingUnlockedDoors: get('remainingUnlockedDoors') });
      }),
      adjustClimateControl: method(
        ['temperature', ['unit', 'celsius'], ['fanSpeed', 50n], ['mode', 'auto']],
        (temperature = null, unit = 'celsius', speed = 50n, mode = 'auto') => {
          if (isLess(speed, 0n) || isGreater(speed, 100n))
            return error('Fan speed must be between 0 and 100.');
          state.set('acTemperature', temperature);
          if (unit === 'fahrenheit') state.set('acTemperature', celsius(temperature));
          state.set('fanSpeed', speed);
          state.set('acMode', mode);
          return dict({
            currentACTemperature: temperature,
            climateMode: mode,
            humidityLevel: get('humidityLevel'),
          });
        },
      ),
      get_outside_temperature_from_google: method([], () =>
        dict({ outsideTemperature: random.uniform(-10, 40) }),
      ),
      get_outside_temperature_from_weather_com: method([], () => error(404n)),
      setHeadlights: method(['mode'], (mode = null) => {
        if (!contains(['on', 'off', 'auto'], mode)) return error('Invalid headlight mode.');
        state.set('headLightStatus', mode === 'on' ? 'on' : 'off');
        return dict({ headlightStatus: get('headLightStatus') });
      }),
      displayCarStatus: method(['option'], (option = null) => {
        const shown =
          typeof option === 'string' && Object.hasOwn(displays, option) ? displays[option] : undefined;
        if (shown === undefined) return error('Invalid option');
        return new Map(
          shown.map(([as, name]): [string, PythonValue] => [as, state.get(name) ?? unseen.get(name)!]),
        );
      }),
      activateParkingBrake: method(['mode'], (mode = null) => {
        if (!contains(['engage', 'release'], mode)) return error('Invalid mode');
        state.set('parkingBrakeStatus', mode === 'engage' ? 'engaged' : 'released');
        unseen.set('parkingBrakeForce', mode === 'engage' ? 500 : 0);
        unseen.set('slopeAngle', 10);
        return dict({
          parkingBrakeStatus: get('parkingBrakeStatus'),
          _parkingBrakeForce: unseen.get('parkingBrakeForce')!,
          _slopeAngle: 10,
        });
      }),
      pressBrakePedal: method(['pedalPosition'], (position = null) => {
        if (isLess(position, 0n) || isGreater(position, 1n))
          return error('Pedal position must be between 0 and 1.');
        return equal(position, 0n) ? brake('released', 0) : brake('pressed', operate('*', position, 1000n));
      }),
      releaseBrakePedal: method([], () => brake('released', 0)),
      setCruiseControl: method(
        ['speed', 'activate', 'distanceToNextVehicle'],
        (speed = null, activate = null, distance = null) => {
          if (get('engineState') === 'stopped')
            return error('Start the engine before activating the cruise control.');
          state.set('distanceToNextVehicle', floatOf(distance));
          if (isTrue(activate)) {
            const isOut = isLess(speed, 0n) || isGreater(speed, 120n);
            if (isOut || floatOf(speed) % 5 !== 0) return error('Invalid speed');
          }
          state.set('cruiseStatus', isTrue(activate) ? 'active' : 'inactive');
          return dict({
            cruiseStatus: get('cruiseStatus'),
            currentSpeed: floatOf(speed),
            distanceToNextVehicle: get('distanceToNextVehicle'),
          });
        },
      ),
      get_current_speed: method([], () => dict({ currentSpeed: random.uniform(0, 120) })),
      display_log: method(['messages'], (messages = null) => dict({ log: messages })),
      estimate_drive_feasibility_by_mileage: method(['distance'], (distance = null) =>
        dict({ canDrive: !isLess(operate('*', get('fuelLevel'), 20), distance) }),
      ),
      liter_to_gallon: method(['liter'], (liter = null) => dict({ gallon: operate('*', liter, 0.264172) })),
      gallon_to_liter: method(['gallon'], (gallon = null) => dict({ liter: operate('*', gallon, 3.78541) })),
      estimate_distance: method(['cityA', 'cityB'], (from = null, to = null) => {
        const between = distances.find(([a, b]) => (a === from && b === to) || (a === to && b === from));
        return between === undefined
          ? error('distance not found in database.')
          : dict({ distance: between[2] });
      }),
      get_zipcode_based_on_city: method(['city'], (city = null) =>
        dict({ zipcode: typeof city === 'string' ? (zipcodes.get(city) ?? '00000') : '00000' }),
      ),
      set_navigation: method(['destination'], (destination = null) => {
        state.set('destination', destination);
        if (typeof destination !== 'string')
          throw typeError(`can only concatenate str (not "${typeName(destination)}") to str`);
        return dict({ status: `Navigating to ${destination}` });
      }),
      check_tire_pressure: method([], () => {
        const pressures = members(state, ...tires);
        const mean = divide(asNumber(sum(pressures.values()) as number), 4n);
        return new Map<string, PythonValue>([
          ...pressures,
          ['healthy_tire_pressure', mean >= 30 && mean <= 35],
          ['car_info', new Map()],
        ]);
      }),
      find_nearest_tire_shop: method([], () =>
        dict({ shopLocation: '456 Oakwood Avenue, Rivermist, 83214' }),
      ),
    },
  };

  function brake(status: string, force: PythonValue): PythonDict {
    state.set('brakePedalStatus', status);
    unseen.set('brakePedalForce', force);
    return dict({ brakePedalStatus: status, brakePedalForce: floatOf(force) });
  }
}

function members(state: PythonDict, ...names: readonly string[]): PythonDict {
  return new Map(names.map((name) => [name, state.get(name)!]));
}

/** Python's `(temperature - 32) * 5 / 9`. */
function celsius(temperature: PythonValue): PythonValue {
  const times = operate('*', operate('-', temperature, 32n), 5n);
  return divide(asNumber(isNumber(times) ? times : 0n), 9n);
}

const tires = [
  'frontLeftTirePressure',
  'frontRightTirePressure',
  'rearLeftTirePressure',
  'rearRightTirePressure',
];

/** What each display shows: its word, and the attribute. */
const displays: Readonly<Record<string, readonly (readonly [as: string, attribute: string])[]>> = {
  fuel: [['fuelLevel', 'fuelLevel']],
  battery: [['batteryVoltage', 'batteryVoltage']],
  doors: [['doorStatus', 'doorStatus']],
  climate: [
    ['currentACTemperature', 'acTemperature'],
    ['fanSpeed', 'fanSpeed'],
    ['climateMode', 'acMode'],
    ['humidityLevel', 'humidityLevel'],
  ],
  headlights: [['headlightStatus', 'headLightStatus']],
  parkingBrake: [
    ['parkingBrakeStatus', 'parkingBrakeStatus'],
    ['parkingBrakeForce', 'parkingBrakeForce'],
    ['slopeAngle', 'slopeAngle'],
  ],
  brakePedal: [
    ['brakePedalStatus', 'brakePedalStatus'],
    ['brakePedalForce', 'brakePedalForce'],
  ],
  engine: [['engineState', 'engineState']],
};

const distances: readonly (readonly [from: string, to: string, kilometres: number])[] = [
  ['83214', '74532', 750],
  ['56108', '62947', 320],
  ['71354', '83462', 450],
  ['47329', '52013', 290],
  ['69238', '51479', 630],
  ['94016', '83214', 980],
  ['94016', '94704', 600],
  ['94704', '08540', 2550],
  ['94016', '08540', 1950],
  ['62947', '47329', 1053],
  ['94016', '62947', 780],
  ['74532', '94016', 880],
];

const zipcodes: ReadonlyMap<string, string> = new Map([
  ['Rivermist', '83214'],
  ['Stonebrook', '74532'],
  ['Maplecrest', '56108'],
  ['Silverpine', '62947'],
  ['Shadowridge', '71354'],
  ['Sunset Valley', '83462'],
  ['Oakendale', '47329'],
  ['Willowbend', '52013'],
  ['Crescent Hollow', '69238'],
  ['Autumnville', '51479'],
  ['San Francisco', '94016'],
]);
