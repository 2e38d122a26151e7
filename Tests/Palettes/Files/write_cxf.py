"""Writes colour_cxf.cxf with colour-cxf 0.1.1 (PyPI), as an independent program writes CxF3: write_cxf.py > colour_cxf.cxf"""

import sys

import colour_cxf
from colour_cxf import cxf3


def specification(name, illuminant, observer):
    spec = cxf3.TristimulusSpec(
        illuminant_or_custom_illuminant=cxf3.Illuminant(illuminant), observer=cxf3.Observer(observer)
    )
    measured = cxf3.MeasurementSpec(measurement_type="Colorimetric_Reflectance")
    return cxf3.ColorSpecification(id=name, tristimulus_spec=spec, measurement_spec=measured)


def colour(number, name, *values):
    kind = cxf3.ColorValues(choice=list(values))
    return cxf3.Object(object_type="Standard", name=name, id=f"c{number}", color_values=kind)


def lab(values, reference):
    return cxf3.ColorCielab(l=values[0], a=values[1], b=values[2], color_specification=reference)


colours = [
    colour(1, "Brand blue", lab((33.1, 9.25, -46.5), "D65-10"), lab((32.5, 8.75, -47.25), "D50-2")),
    colour(2, "Grün & Blau", cxf3.ColorCiexyz(x=20.5, y=25.25, z=15.125, color_specification="D50-2")),
    colour(3, "Screen", cxf3.ColorSrgb(max_range=255, r=31, g=78, b=155, color_specification="D50-2")),
]
specifications = [specification("D65-10", "D65", "10_Degree"), specification("D50-2", "D50", "2_Degree")]
resources = cxf3.Resources(
    object_collection=cxf3.ObjectCollection(object_value=colours),
    color_specification_collection=cxf3.ColorSpecificationCollection(color_specification=specifications),
)
information = cxf3.FileInformation(creator="colour-cxf", description="Three colours")
sys.stdout.buffer.write(colour_cxf.write_cxf(cxf3.CxF(file_information=information, resources=resources)))
